/** How a browser gets access to the console: with a code instead of the run's token. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";

/** A query parameter of any page of the console, exchanged for the cookie before the page is shown. */
export const loginCodeParameter = "code";

export const loginCodeSchema = z
  .object({
    code: z.string().meta({ examples: ["7QK2-M9XA-3F0T"] }),
    address: z
      .string()
      .describe("Address of the console with the login code, for a browser.")
      .meta({ examples: ["http://127.0.0.1:3082/console/?code=7QK2-M9XA-3F0T"] }),
    expires_in: z.number().int().describe("Seconds."),
  })
  .meta({ title: "LoginCode" });
export type LoginCode = z.infer<typeof loginCodeSchema>;

/** Creates a login code for the console. It works once, in one browser, within 15 minutes. */
export const createLoginCode = endpoint({
  id: "createLoginCode",
  tag: "logins",
  method: "POST",
  path: "/console/api/login-codes",
  access: "console",
  status: 201,
  data: loginCodeSchema,
});

/** Returns whether this browser is logged in. Everybody may call it. */
export const getLogin = endpoint({
  id: "getLogin",
  tag: "logins",
  method: "GET",
  path: "/console/api/logins",
  access: "none",
  status: 200,
  data: z.object({ known: z.boolean() }),
});

/**
 * Exchanges a login code for a cookie that keeps the browser logged in for 90 days. After too many wrong codes, every
 * code gets 429 for a short time.
 */
export const createLogin = endpoint({
  id: "createLogin",
  tag: "logins",
  method: "POST",
  path: "/console/api/logins",
  access: "none",
  status: 204,
  body: z.object({
    code: z
      .string()
      .min(1)
      .max(64)
      .describe("Login code. Case, spaces and hyphens do not matter.")
      .meta({ examples: ["7QK2-M9XA-3F0T"] }),
  }),
  errors: [403, 429],
});

export const browserSchema = z
  .object({
    id: z.string().meta({ examples: ["9f2c41d07be8a653"] }),
    name: z
      .string()
      .describe("Operating system and program.")
      .meta({ examples: ["Mac, Firefox"] }),
    since: z.iso.datetime().describe("Time of the login."),
    seen_at: z.iso.datetime().describe("Time of its last request, to the minute."),
    current: z.boolean().describe("Whether this browser sends the request."),
  })
  .meta({ title: "LoggedInBrowser" });
export type LoggedInBrowser = z.infer<typeof browserSchema>;

/** Lists the browsers that are logged in to the console, most recently active first. */
export const listBrowsers = endpoint({
  id: "listBrowsers",
  tag: "logins",
  method: "GET",
  path: "/console/api/browsers",
  access: "console",
  status: 200,
  data: z.object({ browsers: z.array(browserSchema) }),
});

/** Logs out a browser. Its event streams and other requests end. */
export const deleteBrowser = endpoint({
  id: "deleteBrowser",
  tag: "logins",
  method: "DELETE",
  path: "/console/api/browsers/{id}",
  access: "console",
  status: 204,
  params: z.object({ id: z.string().max(32) }),
  errors: [404],
});
