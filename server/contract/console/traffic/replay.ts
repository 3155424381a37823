/** Sending a recorded request again, or a new one. */
import { z } from "zod";
import { conditions } from "../../messages/en/conditions.ts";
import { dictionary } from "../../bounded-lists.ts";
import { requestServiceSchema } from "./requests.ts";

/** Methods that a server on Node accepts; others are refused before there is a request. CONNECT has no resource. */
const replayMethods = [
  ...["ACL", "BIND", "CHECKOUT", "COPY", "DELETE", "GET", "HEAD", "LINK", "LOCK", "M-SEARCH", "MERGE", "MKACTIVITY"],
  ...["MKCALENDAR", "MKCOL", "MOVE", "NOTIFY", "OPTIONS", "PATCH", "POST", "PROPFIND", "PROPPATCH", "PURGE", "PUT"],
  ...["QUERY", "REBIND", "REPORT", "SEARCH", "SOURCE", "SUBSCRIBE", "TRACE", "UNBIND", "UNLINK", "UNLOCK"],
  "UNSUBSCRIBE",
] as const;

const method = z.enum(replayMethods, conditions["is.httpMethod"]);
const path = z
  .string()
  .max(16_000)
  .regex(/^\/[\x21-\x7e]*$/, conditions["is.pathAndQuery"]);

/** Headers of one connection or one message. They are made anew for each, not repeated. */
const madeAnew = new Set([
  ...["connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"],
  ...["traceparent", "tracestate", "x-request-id"],
]);
export const isMadeAnew = (name: string): boolean => madeAnew.has(name.toLowerCase());

/** By these the message is framed, and its record is found. A second one beside Hearth's makes it another message. */
const ofSender = new Set(["content-length", "trailer", "transfer-encoding", "x-request-id"]);

const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, conditions["is.headerName"])
  .refine((name) => !ofSender.has(name.toLowerCase()), conditions["is.ofServer"]);
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, conditions["is.latin1"]);

/** The changes of a replay to the recorded request. */
export const replaySchema = z.strictObject({
  method: method.optional(),
  path: path.optional().describe("Path and query."),
  headers: dictionary(headerName, headerValue.nullable())
    .optional()
    .describe("Headers to set. null omits a header. Other headers stay as recorded."),
  body: z
    .unknown()
    .optional()
    .describe("Body to replace the recorded one. Text is sent unchanged, other values as JSON.")
    .meta({ examples: [{ title: "Hello again" }] }),
});
export type Replay = z.output<typeof replaySchema>;

/** A request that was not recorded before. */
export const newRequestSchema = z.strictObject({
  service: requestServiceSchema.default("app").describe("Service that receives the request."),
  method: method.default("GET"),
  path: path.describe("Path and query.").meta({ examples: ["/api/articles?page_size=5"] }),
  headers: dictionary(headerName, headerValue)
    .default({})
    .describe("`Bearer {{session:12}}` as Authorization stands for a fresh token of that session's user.")
    .meta({ examples: [{ Accept: "application/json" }] }),
  body: z.unknown().optional().describe("Body. Text is sent unchanged, other values as JSON."),
});
export type NewRequest = z.output<typeof newRequestSchema>;
