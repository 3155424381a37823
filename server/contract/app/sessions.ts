import { z } from "zod";
import { endpoint } from "../endpoint.ts";

/**
 * Exchanges the client's login code for a session token. This is the first step of a login. The status package in the
 * answer contains the token and the missing steps. If the platform rejects the code, the answer is 401.
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
      .describe("Login code from the client's login call. Required unless HTTP Basic is on and used.")
      .meta({ examples: ["0b3K7u000hPvVS1qVp300YcrYP1K7u0s"] }),
  }),
  replyHeaders: ["Location"],
  basicAuth: "accepted",
  errors: [401, 403, 503],
});

const time = z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] });

export const sessionSchema = z.object({ created_at: time, expires_at: time }).meta({ title: "Session" });

/**
 * Returns when the caller's session began and when it ends. A valid token is enough; the login need not be complete.
 */
export const getCurrentSession = endpoint({
  id: "getCurrentSession",
  tag: "sessions",
  method: "GET",
  path: "/api/sessions/current",
  access: "token",
  status: 200,
  data: sessionSchema,
});

/** Ends the caller's session. Its token stops working at once. Other sessions of the same user continue. */
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
    .describe("Encrypted data from the callback, in base64. Only the server can decrypt it.")
    .meta({ examples: ["CiyLU1Aw2KjvrjMdj8YKliAjtP4gsMZMQmRzooG2xrDcvSnxIMXFufNstNGTyaGS"] }),
  iv: z
    .string()
    .optional()
    .describe("Initialization vector from the callback, in base64.")
    .meta({ examples: ["r7BXXKkLb8qrSNn05n0qiA=="] }),
};
const errMsg = (call: "getUserInfo" | "getPhoneNumber") =>
  z
    .string()
    .describe(`Result from the callback. Everything except \`${call}:ok\` is refused.`)
    .meta({ examples: [`${call}:ok`] });

export const userInfoSchema = z
  .object({
    nick_name: z.string().meta({ examples: ["Alice"] }),
    avatar_url: z.string().meta({ examples: ["https://avatars.example/alice.png"] }),
  })
  .meta({ title: "UserInfo" });

/**
 * Stores the result of the client's getUserInfo callback. Call it after a 401 with `WWW-Authenticate: getUserInfo`. The
 * server checks the signature and decrypts the data. If no known session key signed the data, the answer is 401 with
 * `WWW-Authenticate: Bearer` (log in again). Data of another user gets 403.
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
      .describe("User info from the callback: the JSON text, byte for byte.")
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
 * Stores the phone number from the client's getPhoneNumber callback. Call it after a 401 with `WWW-Authenticate:
 * getPhoneNumber`. Send the code or the encrypted data. A used or unknown code gets the same 401 again. If no known
 * session key decrypts the data, the answer is 401 with `WWW-Authenticate: Bearer` (log in again).
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
      .describe("Code from the callback. Without a code, send encryptedData and iv.")
      .meta({ examples: ["e31968a7f94cc5ee25fafc2aef2773f0bb8c3937b22520eb8ee345274d00c144"] }),
  }),
  errors: [403, 503],
});

/** Returns the caller's phone number. The status package never contains it, and the client must not store it. */
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
