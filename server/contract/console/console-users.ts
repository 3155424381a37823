/** The console's operations on users and sessions. No answer contains a token or the provider's data. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { idParams } from "../app/resources.ts";
import { wholeNumber } from "../whole-number.ts";

const base = { tag: "users", access: "console" } as const;
const time = z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] });

/** A session without its token, which is not stored. */
export const consoleSessionSchema = z
  .object({
    id: z.number().int(),
    user_id: z.number().int(),
    created_at: time,
    expires_at: time,
    next_step: z
      .enum(["Bearer", "getUserInfo", "getPhoneNumber"])
      .optional()
      .describe("`WWW-Authenticate` of its next 401; absent while it passes."),
  })
  .meta({ title: "ConsoleSession" });
export type ConsoleSession = z.infer<typeof consoleSessionSchema>;
export type NextStep = NonNullable<ConsoleSession["next_step"]>;

/** A user of the application server. */
export const consoleUserSchema = z
  .object({
    id: z.number().int(),
    uid: z.string().meta({ examples: ["u1"] }),
    person: z
      .string()
      .optional()
      .describe("Name of the simulated person who this is; absent when the provider is not the simulator."),
    nick_name: z.string().optional(),
    created_at: time,
    has_userinfo: z.boolean().describe("User info itself: the unionid does not count here."),
    has_unionid: z.boolean().describe("With it, no call asks for user info."),
    has_phone: z.boolean(),
    session_count: z.number().int().describe("Sessions that have neither expired nor ended."),
    newest_session: consoleSessionSchema.optional().describe("Expired or not."),
  })
  .meta({ title: "ConsoleUser" });
export type ConsoleUser = z.infer<typeof consoleUserSchema>;

export const userPageQuery = z.object({
  before: wholeNumber(z.int().positive()).optional().describe("Users with a smaller id than this."),
  limit: wholeNumber(z.int().min(1).max(500)).default(100).describe("At most this many."),
  q: z.string().max(64).optional().describe("A uid, or a part of the nickname or of the simulated person's name."),
});

const now = time.describe("The server's current time.");

export const userPageSchema = z.object({
  users: z.array(consoleUserSchema),
  total: z.number().int().describe("All that there are, whatever the query."),
  matched: z.number().int().describe("All that match the query, on all pages."),
  has_more: z.boolean().describe("There are older ones: ask again with `before`."),
  now,
});
export type UserPage = z.infer<typeof userPageSchema>;

/** Answers a page of the users who have logged in, the newest first. */
export const listUsers = endpoint({
  ...base,
  id: "listUsers",
  method: "GET",
  path: "/console/api/users",
  status: 200,
  query: userPageQuery,
  data: userPageSchema,
});

/** Answers a user with the newest 100 of the sessions, expired ones included. */
export const getUser = endpoint({
  ...base,
  id: "getUser",
  method: "GET",
  path: "/console/api/users/{id}",
  status: 200,
  params: idParams,
  data: z.object({ user: consoleUserSchema, sessions: z.array(consoleSessionSchema), now }),
  errors: [404],
});

/**
 * Deletes the result of getUserInfo: nickname, avatar and union id. The next call of each of the user's sessions gets
 * 401 `getUserInfo` if the setting require_userinfo is on.
 */
export const forgetUserInfo = endpoint({
  ...base,
  id: "forgetUserInfo",
  method: "DELETE",
  path: "/console/api/users/{id}/userinfo",
  status: 204,
  params: idParams,
  errors: [404],
});

/**
 * Deletes the phone number. The next call of each of the user's sessions gets 401 `getPhoneNumber` if the setting
 * phone_is_identity is on.
 */
export const forgetPhoneNumber = endpoint({
  ...base,
  id: "forgetPhoneNumber",
  method: "DELETE",
  path: "/console/api/users/{id}/phonenumber",
  status: 204,
  params: idParams,
  errors: [404],
});

/**
 * Sets in how many seconds a session expires; 0 expires it at once. An expired session gets 401 `Bearer`, as after its
 * usual time. More time makes an expired session valid again.
 */
export const changeSession = endpoint({
  ...base,
  id: "changeSession",
  method: "PATCH",
  path: "/console/api/sessions/{id}",
  status: 200,
  params: idParams,
  body: z.strictObject({
    expires_in: z
      .number()
      .int()
      .min(0)
      .max(366 * 24 * 3600)
      .describe("Seconds from now.")
      .meta({ examples: [0] }),
  }),
  data: consoleSessionSchema,
  errors: [404],
});

/** Ends a session for good: its token gets 401 `Bearer` from then on. */
export const revokeSession = endpoint({
  ...base,
  id: "revokeSession",
  method: "DELETE",
  path: "/console/api/sessions/{id}",
  status: 204,
  params: idParams,
  errors: [404],
});
