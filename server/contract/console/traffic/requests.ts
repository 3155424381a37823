/** Recorded requests, with operations to list, await, assert and repeat them. */
import { z } from "zod";
import { conditions } from "../../messages/en/conditions.ts";
import { dictionary } from "../../bounded-lists.ts";
import { queryFlag } from "../../query-flag.ts";
import { traceIds } from "../../trace-ids.ts";
import { faultMarkSchema } from "../../fault-mark.ts";
import { sortQuery } from "../../sort.ts";
import { wholeNumber } from "../../whole-number.ts";

/** The recorded services, as in the column `service`. */
export const requestServiceSchema = z.enum(["app", "provider", "model"]);
export type RequestService = z.infer<typeof requestServiceSchema>;

/** Who sent a request: a client, or a part of Hearth. */
export const requestSenderSchema = z.enum(["client", "app", "provider", "watcher", "console"]);
export type RequestSender = z.infer<typeof requestSenderSchema>;

const list = (one: string) => new RegExp(`^${one}(?:,${one})*$`, "i");

/** Selects requests; all given conditions must hold. */
export const requestFilterSchema = z.object({
  method: z
    .string()
    .regex(list("[A-Z-]+"), conditions["is.methods"])
    .optional()
    .describe("One or more methods, separated by commas.")
    .meta({ examples: ["POST", "PUT,PATCH"] }),
  path: z
    .string()
    .max(500)
    .optional()
    .describe(
      "Path without query. `*` matches text without '/', `{name}` one segment, `**` at the end everything below.",
    )
    .meta({ examples: ["/api/articles/{id}", "/api/**"] }),
  path_regex: z
    .string()
    .max(200)
    .optional()
    .describe("Regular expression to search for in the path.")
    .meta({ examples: ["^/api/articles/[0-9]+$"] }),
  status: z
    .union([z.string(), z.number().transform(String)])
    .pipe(z.string().regex(list("(?:[1-9]\\d\\d|[1-9]xx|none)"), conditions["is.statuses"]))
    .optional()
    .describe("Status, class such as `4xx`, or `none` for unanswered requests. Separate several with commas.")
    .meta({ examples: ["404", "4xx,5xx"] }),
  service: requestServiceSchema
    .optional()
    .describe("Service that received the request: application server, platform simulator or model service."),
  sender: requestSenderSchema.optional().describe("Sender. `client` excludes Hearth's own requests."),
  flow: z
    .string()
    .max(100)
    .optional()
    .describe("Only requests of this client `flow`.")
    .meta({ examples: ["login:17", "order:T1790000000"] }),
  trace: z.string().max(32).optional().describe("Only requests of the trace with this id."),
  session: wholeNumber(z.int().positive()).optional().describe("Number of the session whose token was sent."),
  failed: queryFlag
    .or(z.boolean())
    .optional()
    .describe(
      "`true`: only requests that were refused (4xx), failed (5xx), cut off or unanswered. `false`: only others.",
    ),
  uid: z
    .string()
    .regex(/^u\d{1,15}$/, conditions["is.uid"])
    .optional()
    .describe("Uid of the session's user."),
  q: z.string().max(200).optional().describe("Text anywhere in path, query, headers or bodies."),
  since: z.iso.datetime({ offset: true }).optional().describe("Only requests at this time or later."),
  until: z.iso.datetime({ offset: true }).optional().describe("Only requests before this time."),
  after: wholeNumber(z.int().min(0)).optional().describe("Only requests with a greater id."),
  before: wholeNumber(z.int().positive()).optional().describe("Only requests with a smaller id."),
});
export type RequestFilter = z.output<typeof requestFilterSchema>;

const headerSchema = z.object({ name: z.string(), value: z.string() });

/** A recorded body. Without `text` and `base64` nothing of it was kept. */
export const recordedBodySchema = z
  .object({
    size: z.number().int().describe("Size on the wire, in bytes."),
    truncated: z.boolean().describe("Whether only the beginning is stored."),
    text: z.string().optional(),
    base64: z.string().optional().describe("Binary content, in base64."),
    withheld: z
      .string()
      .optional()
      .describe("Reason why nothing is stored: the body could not be searched for secrets."),
  })
  .meta({ title: "RecordedBody" });
export type RecordedBody = z.infer<typeof recordedBodySchema>;

/** Where an exception was thrown. */
const errorSourceSchema = z
  .object({
    file: z.string().describe("Path relative to the server's working directory."),
    line: z.number().int().describe("Line number, from 1."),
    column: z.number().int(),
    function: z.string().optional(),
    first_line: z.number().int().describe("Number of the first of `lines`."),
    lines: z.array(z.string()).describe("The line and some lines around it."),
  })
  .meta({ title: "ErrorSource" });
export type ErrorSource = z.infer<typeof errorSourceSchema>;

const summaryFields = {
  id: z.number().int(),
  time: z.string().describe("Time of arrival.").meta({ format: "date-time" }),
  service: requestServiceSchema,
  method: z.string(),
  path: z.string(),
  query: z.string().describe("Query without '?'. Empty without a query."),
  status: z.number().int().optional().describe("Status of the answer. Absent if the client left before the answer."),
  complete: z.boolean().describe("False if the connection ended before the answer did."),
  ms: z.number().describe("Duration from the request's head to the last byte of the answer, in ms."),
  request_size: z
    .number()
    .int()
    .describe("Received bytes of the request's body. Fewer than sent if the body was not read."),
  response_size: z.number().int().describe("Size of the answer's body, in bytes."),
  session_id: z.number().int().optional(),
  uid: z.string().optional(),
  client: z.string().describe("Address of the peer."),
  request_id: z.string().describe("Id in X-Request-Id and in the log."),
  ...traceIds,
  sender: requestSenderSchema,
  flow: z.string().optional().describe("Flow of the request: `login:` with an id, or `order:` with the order number."),
  replay_of: z.number().int().optional().describe("Id of the recorded request that this one repeats."),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      stack: z.string().optional().describe("The exception behind a 500."),
    })
    .optional()
    .describe("Code of the refusal."),
  faults: z.array(faultMarkSchema).optional().describe("Injected faults that hit the request."),
  warning: z.string().optional().describe("Unknown names from the reply's header Hearth-Warning."),
};

/** A recorded request without its headers and bodies. Secrets are references such as `{{session:12}}`. */
export const recordedSummarySchema = z.object(summaryFields).meta({ title: "RecordedSummary" });
export type RecordedSummary = z.infer<typeof recordedSummarySchema>;

/** A complete recorded request. */
export const recordedRequestSchema = z
  .object({
    ...summaryFields,
    error_source: errorSourceSchema.optional().describe("First line of Hearth's code in the stack of `error`."),
    request: z.object({ headers: z.array(headerSchema), body: recordedBodySchema }),
    response: z.object({
      headers: z.array(headerSchema),
      body: recordedBodySchema,
      chunks: z
        .array(
          z.object({
            size: z.number().int().describe("Bytes."),
            ms: z.number().describe("Time since the request's head, in ms."),
          }),
        )
        .optional()
        .describe("Pieces of a streamed answer, as far as its body is stored."),
    }),
  })
  .meta({ title: "RecordedRequest" });
export type RecordedRequest = z.infer<typeof recordedRequestSchema>;

export const requestPageSchema = z.object({
  requests: z.array(recordedSummarySchema),
  total: z.number().int().describe("Number of all stored requests, without the filter."),
  has_more: z.boolean().describe("Whether there are older matches. To get them, use `before`."),
  dropped: z.number().int().describe("Number of requests in this run that came too fast to be recorded."),
});
export type RequestPage = z.infer<typeof requestPageSchema>;

/** Members of a summary that a page can be sorted by. */
const requestSortNames = ["time", "service", "method", "path", "status", "ms", "response_size"] as const;

export const requestPageQuery = requestFilterSchema.extend({
  ...sortQuery(requestSortNames),
  limit: wholeNumber(z.int().min(1).max(500)).default(100).describe("Maximum number of results."),
});

const timeout = wholeNumber(z.int().min(0).max(300_000)).describe("Maximum time to wait, in ms.");

export const waitQuery = requestFilterSchema.extend({
  count: wholeNumber(z.int().min(1).max(500)).default(1).describe("Number of matching requests to wait for."),
  timeout_ms: timeout.default(10_000),
});

const times = z.number().int().min(0).max(100_000).optional();

/** An assertion about the recorded requests. */
export const assertionSchema = requestFilterSchema
  .extend({
    headers: dictionary(z.string().max(100), z.string())
      .optional()
      .describe("Headers that the request must have with these values.")
      .meta({ examples: [{ "content-type": "application/json" }] }),
    json: z
      .unknown()
      .optional()
      .describe("Fields that the request's JSON body must contain. Other fields are allowed.")
      .meta({ examples: [{ title: "Hello" }] }),
    body_contains: z.string().max(10_000).optional().describe("Text that the request's body must contain."),
    response_contains: z.string().max(10_000).optional().describe("Text that the answer's body must contain."),
    exactly: times.describe("Exact number of matching requests."),
    at_least: times.describe("Minimum number of matching requests. Default: 1, without exactly and at_most."),
    at_most: times.describe("Maximum number of matching requests."),
    timeout_ms: timeout.default(0).describe("Maximum time to wait for the number, in ms."),
  })
  .strict()
  .refine(({ exactly, at_least, at_most }) => exactly === undefined || (at_least ?? at_most) === undefined, {
    path: ["exactly"],
    message: conditions["condition.exactly"],
  });
export type Assertion = z.output<typeof assertionSchema>;

export const assertionResultSchema = z.object({
  count: z.number().int(),
  requests: z.array(recordedSummarySchema).describe("Newest matches, at most 100."),
});

/** The message of `GET /console/api/requests/stream`, at most ten times a second. */
export const recordingStateSchema = z.object({
  newest_id: z.number().int().describe("Id of the newest recorded request. 0 if there is none yet."),
  total: z.number().int(),
  dropped: z.number().int(),
});
export type RecordingState = z.infer<typeof recordingStateSchema>;

export const harQuery = requestFilterSchema.extend({
  limit: wholeNumber(z.int().min(1).max(10_000)).default(1000).describe("Maximum number of requests, newest first."),
});
