import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** Exchanges the code of the client login for a session token. */
export const createSession = endpoint({
  id: "createSession",
  tag: "sessions",
  method: "POST",
  path: "/api/sessions",
  access: "issues-token",
  status: 201,
  body: z.object({
    code: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe("The code that the client's login call gave; required unless HTTP Basic is on and used."),
  }),
  errors: [401, 403, 503],
});

export const sessionSchema = z.object({ created_at: z.string(), expires_at: z.string() });

/** Tells the state of the caller's own session. */
export const getCurrentSession = endpoint({
  id: "getCurrentSession",
  tag: "sessions",
  method: "GET",
  path: "/api/sessions/current",
  access: "token",
  status: 200,
  data: sessionSchema,
});

/** Ends the caller's session: the token is worthless from then on. */
export const deleteCurrentSession = endpoint({
  id: "deleteCurrentSession",
  tag: "sessions",
  method: "DELETE",
  path: "/api/sessions/current",
  access: "token",
  status: 204,
});

/** What the platform hands to the client's getUserInfo and getPhoneNumber callbacks. */
const detail = {
  errMsg: z.string().describe("Must be the call's name and `:ok`."),
  encryptedData: z.string().optional(),
  iv: z.string().optional(),
};

export const userInfoSchema = z.object({ nick_name: z.string(), avatar_url: z.string() });

/** Stores what getUserInfo gave; the signature and the encrypted part are checked on the server. */
export const createUserInfo = endpoint({
  id: "createUserInfo",
  tag: "sessions",
  method: "POST",
  path: "/api/userinfos",
  access: "token",
  status: 201,
  body: z.object({ ...detail, rawData: z.string().optional(), signature: z.string().optional() }),
  data: userInfoSchema,
  errors: [403],
});

/** Stores the phone number behind the code, or the encrypted data, that getPhoneNumber gave. */
export const createPhoneNumber = endpoint({
  id: "createPhoneNumber",
  tag: "sessions",
  method: "POST",
  path: "/api/phonenumbers",
  access: "token",
  status: 201,
  body: z.object({ ...detail, code: z.string().max(512).optional() }),
  errors: [403, 503],
});

/** The phone number of the caller, which the status package never carries. */
export const getMyPhoneNumber = endpoint({
  id: "getMyPhoneNumber",
  tag: "sessions",
  method: "GET",
  path: "/api/phonenumbers/mine",
  access: "login",
  status: 200,
  data: z.object({ phone_number: z.string(), country_code: z.string() }),
  errors: [404],
});
