import { z } from "zod";
import { dictionary } from "./bounded-lists.ts";

/** The server writes these itself, or they belong to the connection. */
const ofServer = new Set([
  ...["content-length", "transfer-encoding", "connection", "keep-alive", "date", "upgrade"],
  "service-worker-allowed", // no service worker is served
]);

/** The cookie by which a browser is known to the console: its name goes on with the console's port. */
export const consoleCookiePrefix = "hearth_console_";

/** Cookies know no port: such an answer would change those of the console. */
const changesConsole = (name: string, value: string) =>
  (name.toLowerCase() === "set-cookie" && value.trimStart().toLowerCase().startsWith(consoleCookiePrefix)) ||
  (name.toLowerCase() === "clear-site-data" && /cookies|\*/i.test(value));

/** Headers of an answer that a user defines. */
export const answerHeaders = dictionary(
  z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, "must be a header's name")
    .refine((name) => !ofServer.has(name.toLowerCase()), "is written by the server: leave it out"),
  z.string().regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, "must be one line of Latin-1"),
).refine((headers) => !Object.entries(headers).some(([name, value]) => changesConsole(name, value)), {
  message: "would change cookies of the console, which know no port: leave it out",
});
