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
      .describe("`WWW-Authenticate` of the next 401. Absent if the login is complete."),
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
      .describe("Name of the simulated person. Absent if the platform is not the simulator."),
    nick_name: z.string().optional(),
    created_at: time,
    has_userinfo: z.boolean().describe("Whether user info is known. The unionid does not count."),
    has_unionid: z.boolean().describe("Whether the union id is known. If so, no call requests user info."),
    has_phone: z.boolean(),
    session_count: z.number().int().describe("Number of valid sessions."),
    newest_session: consoleSessionSchema.optional().describe("Newest session, valid or expired."),
  })
  .meta({ title: "ConsoleUser" });
export type ConsoleUser = z.infer<typeof consoleUserSchema>;

export const userPageQuery = z.object({
  before: wholeNumber(z.int().positive()).optional().describe("Only users with a smaller id."),
  limit: wholeNumber(z.int().min(1).max(500)).default(100).describe("Maximum number of results."),
  q: z.string().max(64).optional().describe("Uid, or a part of the nickname or of the simulated person's name."),
});

const now = time.describe("The server's current time.");

export const userPageSchema = z.object({
  users: z.array(consoleUserSchema),
  total: z.number().int().describe("Number of all users, without the query."),
  matched: z.number().int().describe("Number of users that match the query."),
  has_more: z.boolean().describe("Whether there are older ones. To get them, use `before`."),
  now,
});
export type UserPage = z.infer<typeof userPageSchema>;

/** Returns a page of the users who have logged in, newest first. */
export const listUsers = endpoint({
  ...base,
  id: "listUsers",
  method: "GET",
  path: "/console/api/users",
  status: 200,
  query: userPageQuery,
  data: userPageSchema,
});

/** Returns a user and the user's newest 100 sessions, including expired ones. */
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
 * Deletes the result of getUserInfo: nickname, avatar and union id. If the setting require_userinfo is on, the next
 * call of each of the user's sessions gets 401 `getUserInfo`.
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
 * Deletes the phone number. If the setting phone_is_identity is on, the next call of each of the user's sessions gets
 * 401 `getPhoneNumber`.
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
 * Sets the number of seconds until a session expires. 0 expires it at once. An expired session gets 401 `Bearer`, as
 * after its usual time. More time makes an expired session valid again.
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

/** Ends a session permanently. Its token gets 401 `Bearer` at once. */
export const revokeSession = endpoint({
  ...base,
  id: "revokeSession",
  method: "DELETE",
  path: "/console/api/sessions/{id}",
  status: 204,
  params: idParams,
  errors: [404],
});
