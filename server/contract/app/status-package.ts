import { z } from "zod";

/**
 * The part of every business endpoint's result about the caller's session (spec: Status package). Never session_key, openid,
 * unionid or the phone number. The names beyond `uid` and `access_token` are our choice.
 */
export const statusPackageSchema = z
  .object({
    access_token: z
      .string()
      .describe("Session token.")
      .meta({ examples: ["p3fYkQ1mXkGz0tB9sJ2vWc7uN5dHr8Lq4aExTiOyKb0"] }),
    expires_in: z
      .number()
      .int()
      .describe("Seconds until the token expires.")
      .meta({ examples: [7200] }),
    uid: z
      .string()
      .describe("The user's id; empty until the user is identified.")
      .meta({ examples: ["u1"] }),
    has_userinfo: z
      .boolean()
      .optional()
      .describe("Whether user info or the unionid is known. Present only if the setting require_userinfo is on.")
      .meta({ examples: [true] }),
    has_phone: z
      .boolean()
      .optional()
      .describe("Whether a phone number is known. Present only if the setting phone_is_identity is on.")
      .meta({ examples: [true] }),
  })
  .meta({ title: "StatusPackage" });
export type StatusPackage = z.infer<typeof statusPackageSchema>;

/** Header that carries the package (base64url of its JSON) where a reply has no body of its own: 204, HEAD, redirects. */
export const statusPackageHeader = "Status-Package" as const;
