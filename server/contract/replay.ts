/** Sending a recorded request again. */
import { z } from "zod";

/** Methods that a server on Node takes; any other is answered before the request exists. CONNECT is none for a resource. */
const replayMethods = [
  ...["ACL", "BIND", "CHECKOUT", "COPY", "DELETE", "GET", "HEAD", "LINK", "LOCK", "M-SEARCH", "MERGE", "MKACTIVITY"],
  ...["MKCALENDAR", "MKCOL", "MOVE", "NOTIFY", "OPTIONS", "PATCH", "POST", "PROPFIND", "PROPPATCH", "PURGE", "PUT"],
  ...["QUERY", "REBIND", "REPORT", "SEARCH", "SOURCE", "SUBSCRIBE", "TRACE", "UNBIND", "UNLINK", "UNLOCK"],
  "UNSUBSCRIBE",
] as const;

/** What a replay changes of the recorded request. */
export const replaySchema = z.strictObject({
  method: z.enum(replayMethods, "must be a method of HTTP in upper case, and not CONNECT").optional(),
  path: z
    .string()
    .max(16_000)
    .regex(/^\/[\x21-\x7e]*$/, "must begin with '/' and be percent-encoded")
    .optional()
    .describe("Path and query."),
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, "must be a header's name"),
      z
        .string()
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must be one line")
        .nullable(),
    )
    .optional()
    .describe("Headers to set; null leaves a header out. The others stay as they were recorded."),
  body: z
    .unknown()
    .optional()
    .describe("The body instead of the recorded one: text as it is, anything else as JSON.")
    .meta({ examples: [{ title: "Hello again" }] }),
});
export type Replay = z.output<typeof replaySchema>;
