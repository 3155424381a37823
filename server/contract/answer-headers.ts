import { z } from "zod";
import { conditions } from "./messages/en/conditions.ts";
import { dictionary } from "./bounded-lists.ts";

/** The server writes these itself, or they belong to the connection. */
const ofServer = new Set([
  ...["content-length", "transfer-encoding", "connection", "keep-alive", "date", "upgrade"],
  "service-worker-allowed", // no service worker is served
]);

/** The cookie by which a browser is known to the console: its name goes on with the console's port. */
export const consoleCookiePrefix = "hearth_console_";

/** Cookies know no port: such an answer would change those of the console. Browsers send one without a name as its value. */
const changesConsole = (name: string, value: string) =>
  (name.toLowerCase() === "set-cookie" &&
    value
      .replace(/^[\s=]+/, "")
      .toLowerCase()
      .startsWith(consoleCookiePrefix)) ||
  (name.toLowerCase() === "clear-site-data" && /cookies|\*/i.test(value));

/** Every answer forbids browsers to read it as another type than its own. */
const allowsSniffing = (name: string, value: string) =>
  name.toLowerCase() === "x-content-type-options" && value.trim().toLowerCase() !== "nosniff";

/** Headers of an answer that a user defines. */
export const answerHeaders = dictionary(
  z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, conditions["is.headerName"])
    .refine((name) => !ofServer.has(name.toLowerCase()), conditions["is.ofServer"]),
  z.string().regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, conditions["is.latin1"]),
)
  .refine((headers) => !Object.entries(headers).some(([name, value]) => changesConsole(name, value)), {
    message: conditions["condition.cookies"],
  })
  .refine((headers) => !Object.entries(headers).some(([name, value]) => allowsSniffing(name, value)), {
    message: conditions["condition.nosniff"],
  });
