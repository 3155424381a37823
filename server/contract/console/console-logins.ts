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
      .describe("The console's address with the code, for a browser.")
      .meta({ examples: ["http://127.0.0.1:3082/console/?code=7QK2-M9XA-3F0T"] }),
    expires_in: z.number().int().describe("Seconds."),
  })
  .meta({ title: "LoginCode" });
export type LoginCode = z.infer<typeof loginCodeSchema>;

/** Makes a code that opens the console in one browser, once and within 15 minutes. */
export const createLoginCode = endpoint({
  id: "createLoginCode",
  tag: "logins",
  method: "POST",
  path: "/console/api/login-codes",
  access: "console",
  status: 201,
  data: loginCodeSchema,
});

/**
 * Exchanges a code for the cookie by which a browser is known until this run of Hearth ends. After too many wrong codes it
 * answers 429 for a moment, whatever the code.
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
      .describe("Upper and lower case, spaces and hyphens do not matter.")
      .meta({ examples: ["7QK2-M9XA-3F0T"] }),
  }),
  errors: [403, 429],
});
