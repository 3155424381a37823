import { z } from "zod";

/**
 * What every business endpoint returns about the caller's session (spec: Status package). Never session_key, openid,
 * unionid or the phone number. The names beyond `uid` and `access_token` are our choice.
 */
export const statusPackageSchema = z.object({
  access_token: z.string().describe("Session token."),
  expires_in: z.number().int().describe("Whole seconds that the token stays valid."),
  uid: z.string().describe("The user's id; empty until the user is identified."),
  has_userinfo: z
    .boolean()
    .optional()
    .describe("Whether user info has been obtained; only while the setting require_userinfo is on."),
  has_phone: z
    .boolean()
    .optional()
    .describe("Whether a phone number has been obtained; only while phone_is_identity is on."),
});
export type StatusPackage = z.infer<typeof statusPackageSchema>;

/** Header that carries the package (base64url of its JSON) where a reply has no body of its own: 204, HEAD, redirects. */
export const statusPackageHeader = "Status-Package";
