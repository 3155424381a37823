import { z } from "zod";
import { endpoint } from "../endpoint.ts";

/**
 * Exchanges the code of the client login for a session token: the first step of the login state. The status package in the
 * answer holds the token and says which steps are still missing; a code that the identity provider does not take is
 * answered 401.
 */
export const createSession = endpoint({
  id: "createSession",
  tag: "sessions",
  method: "POST",
  path: "/api/sessions",
  access: "issues-token",
  status: 201,
  ignoredMembers: ["errMsg"],
  body: z.object({
    code: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe("The code that the client's login call gave; required unless HTTP Basic is on and used.")
      .meta({ examples: ["0b3K7u000hPvVS1qVp300YcrYP1K7u0s"] }),
  }),
  replyHeaders: ["Location"],
  basicAuth: "accepted",
  errors: [401, 403, 503],
});

const time = z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] });

export const sessionSchema = z.object({ created_at: time, expires_at: time }).meta({ title: "Session" });

/** Answers when the caller's own session began and when it ends. Needs a valid token only, whatever step is missing. */
export const getCurrentSession = endpoint({
  id: "getCurrentSession",
  tag: "sessions",
  method: "GET",
  path: "/api/sessions/current",
  access: "token",
  status: 200,
  data: sessionSchema,
});

/** Ends the caller's session: its token is worthless from then on; other sessions of the same user go on. */
export const deleteCurrentSession = endpoint({
  id: "deleteCurrentSession",
  tag: "sessions",
  method: "DELETE",
  path: "/api/sessions/current",
  access: "token",
  status: 204,
});

/** The platform's data in the client's getUserInfo and getPhoneNumber callbacks. */
const detail = {
  encryptedData: z
    .string()
    .optional()
    .describe("Base64, as the callback got it; only the server can read it.")
    .meta({ examples: ["CiyLU1Aw2KjvrjMdj8YKliAjtP4gsMZMQmRzooG2xrDcvSnxIMXFufNstNGTyaGS"] }),
  iv: z
    .string()
    .optional()
    .describe("Base64 of the encryption's initial vector, as the callback got it.")
    .meta({ examples: ["r7BXXKkLb8qrSNn05n0qiA=="] }),
};
const errMsg = (call: "getUserInfo" | "getPhoneNumber") =>
  z
    .string()
    .describe(`As the callback got it; anything but \`${call}:ok\` is refused.`)
    .meta({ examples: [`${call}:ok`] });

export const userInfoSchema = z
  .object({
    nick_name: z.string().meta({ examples: ["Alice"] }),
    avatar_url: z.string().meta({ examples: ["https://avatars.example/alice.png"] }),
  })
  .meta({ title: "UserInfo" });

/**
 * Stores what the client's getUserInfo callback got: the step that a 401 with `WWW-Authenticate: getUserInfo` asks for. The
 * signature is checked and the encrypted part read on the server; data that no known session key has signed is answered 401 with
 * `WWW-Authenticate: Bearer` (log in again), data of another user 403.
 */
export const createUserInfo = endpoint({
  id: "createUserInfo",
  tag: "sessions",
  method: "POST",
  path: "/api/userinfos",
  access: "token",
  status: 201,
  ignoredMembers: ["userInfo", "cloudID", "prompted"],
  body: z.object({
    errMsg: errMsg("getUserInfo"),
    ...detail,
    rawData: z
      .string()
      .optional()
      .describe("The user info as JSON text, byte for byte as the callback got it.")
      .meta({ examples: ['{"nickName":"Alice","avatarUrl":"https://avatars.example/alice.png"}'] }),
    signature: z
      .string()
      .optional()
      .describe("SHA-1 of rawData and the session key, in hexadecimal.")
      .meta({ examples: ["75e81ceda165f4ffa64f4068af58c64b8f54b88c"] }),
  }),
  data: userInfoSchema,
  errors: [403],
});

/**
 * Stores the phone number that the client's getPhoneNumber callback got, as a code or as encrypted data: the step that a
 * 401 with `WWW-Authenticate: getPhoneNumber` asks for. A code that is used up or unknown is answered with that same 401,
 * encrypted data that no known session key reads with a 401 and `WWW-Authenticate: Bearer` (log in again).
 */
export const createPhoneNumber = endpoint({
  id: "createPhoneNumber",
  tag: "sessions",
  method: "POST",
  path: "/api/phonenumbers",
  access: "token",
  status: 201,
  ignoredMembers: ["cloudID", "prompted"],
  body: z.object({
    errMsg: errMsg("getPhoneNumber"),
    ...detail,
    code: z
      .string()
      .max(512)
      .optional()
      .describe("The code from the callback; otherwise send encryptedData and iv.")
      .meta({ examples: ["e31968a7f94cc5ee25fafc2aef2773f0bb8c3937b22520eb8ee345274d00c144"] }),
  }),
  errors: [403, 503],
});

/** Answers the caller's phone number, which the status package never carries and the client must not keep. */
export const getMyPhoneNumber = endpoint({
  id: "getMyPhoneNumber",
  tag: "sessions",
  method: "GET",
  path: "/api/phonenumbers/mine",
  access: "login",
  status: 200,
  data: z
    .object({
      phone_number: z.string().meta({ examples: ["13800138000"] }),
      country_code: z.string().meta({ examples: ["86"] }),
    })
    .meta({ title: "PhoneNumber" }),
  errors: [404],
});
