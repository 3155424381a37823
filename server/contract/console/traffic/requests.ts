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
    .describe("A method, or several with commas between.")
    .meta({ examples: ["POST", "PUT,PATCH"] }),
  path: z
    .string()
    .max(500)
    .optional()
    .describe(
      "A path without its query; `*` stands for text without '/', `{name}` for one segment, `**` at the end for everything below.",
    )
    .meta({ examples: ["/api/articles/{id}", "/api/**"] }),
  path_regex: z
    .string()
    .max(200)
    .optional()
    .describe("A regular expression that is searched for in the path.")
    .meta({ examples: ["^/api/articles/[0-9]+$"] }),
  status: z
    .union([z.string(), z.number().transform(String)])
    .pipe(z.string().regex(list("(?:[1-9]\\d\\d|[1-9]xx|none)"), conditions["is.statuses"]))
    .optional()
    .describe("A status, a class such as `4xx`, or `none` for requests that were never answered; several with commas.")
    .meta({ examples: ["404", "4xx,5xx"] }),
  service: requestServiceSchema
    .optional()
    .describe("The service that was asked: the application server, the provider simulator or the model service."),
  sender: requestSenderSchema.optional().describe("Sender. `client` excludes Hearth's own requests."),
  flow: z
    .string()
    .max(100)
    .optional()
    .describe("Only requests of this `flow` of a client.")
    .meta({ examples: ["login:17", "order:T1790000000"] }),
  trace: z.string().max(32).optional().describe("Only the requests of the trace with this id."),
  session: wholeNumber(z.int().positive()).optional().describe("The number of the session whose token was sent."),
  failed: queryFlag
    .or(z.boolean())
    .optional()
    .describe(
      "`true`: only requests that were refused (4xx), failed (5xx), cut off or never answered; `false`: only others.",
    ),
  uid: z
    .string()
    .regex(/^u\d{1,15}$/, conditions["is.uid"])
    .optional()
    .describe("The user whose session it was."),
  q: z.string().max(200).optional().describe("Text anywhere in path, query, headers or bodies."),
  since: z.iso.datetime({ offset: true }).optional().describe("Requests that came at this time or later."),
  until: z.iso.datetime({ offset: true }).optional().describe("Requests that came before this time."),
  after: wholeNumber(z.int().min(0)).optional().describe("Requests with a greater id than this."),
  before: wholeNumber(z.int().positive()).optional().describe("Requests with a smaller id than this."),
});
export type RequestFilter = z.output<typeof requestFilterSchema>;

const headerSchema = z.object({ name: z.string(), value: z.string() });

/** A recorded body. Without `text` and `base64` nothing of it was kept. */
export const recordedBodySchema = z
  .object({
    size: z.number().int().describe("Bytes that went over the wire."),
    truncated: z.boolean().describe("Only the beginning is kept."),
    text: z.string().optional(),
    base64: z.string().optional().describe("Binary content."),
    withheld: z.string().optional().describe("Why nothing is kept: it could not be searched for secrets."),
  })
  .meta({ title: "RecordedBody" });
export type RecordedBody = z.infer<typeof recordedBodySchema>;

/** Where an exception was thrown. */
const errorSourceSchema = z
  .object({
    file: z.string().describe("Relative to the folder that the server runs in."),
    line: z.number().int().describe("From 1."),
    column: z.number().int(),
    function: z.string().optional(),
    first_line: z.number().int().describe("The number of the first of `lines`."),
    lines: z.array(z.string()).describe("The line and some around it."),
  })
  .meta({ title: "ErrorSource" });
export type ErrorSource = z.infer<typeof errorSourceSchema>;

const summaryFields = {
  id: z.number().int(),
  time: z.string().describe("When it came.").meta({ format: "date-time" }),
  service: requestServiceSchema,
  method: z.string(),
  path: z.string(),
  query: z.string().describe("Without the '?'; empty when there is none."),
  status: z.number().int().optional().describe("Absent when the client left before there was an answer."),
  complete: z.boolean().describe("False when the connection ended before the answer did."),
  ms: z.number().describe("From the request's head to the last byte of the answer."),
  request_size: z
    .number()
    .int()
    .describe("Bytes of the request's body that came; fewer than were sent when nobody read it."),
  response_size: z.number().int().describe("Bytes of the answer's body."),
  session_id: z.number().int().optional(),
  uid: z.string().optional(),
  client: z.string().describe("The peer's address."),
  request_id: z.string().describe("As in X-Request-Id and in the log."),
  ...traceIds,
  sender: requestSenderSchema,
  flow: z.string().optional().describe("Flow of the request: `login:` and an id, or `order:` and its number."),
  replay_of: z.number().int().optional().describe("The recorded request that this one repeats."),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      stack: z.string().optional().describe("The exception behind a 500."),
    })
    .optional()
    .describe("Code of the refusal."),
  faults: z.array(faultMarkSchema).optional().describe("Faults of a test that hit it."),
  warning: z.string().optional().describe("Unknown names from the reply's header Hearth-Warning."),
};

/** A recorded request without its headers and bodies. Secrets are references such as `{{session:12}}`. */
export const recordedSummarySchema = z.object(summaryFields).meta({ title: "RecordedSummary" });
export type RecordedSummary = z.infer<typeof recordedSummarySchema>;

/** A complete recorded request. */
export const recordedRequestSchema = z
  .object({
    ...summaryFields,
    error_source: errorSourceSchema.optional().describe("The first line of Hearth's own in the stack of `error`."),
    request: z.object({ headers: z.array(headerSchema), body: recordedBodySchema }),
    response: z.object({
      headers: z.array(headerSchema),
      body: recordedBodySchema,
      chunks: z
        .array(
          z.object({
            size: z.number().int().describe("Bytes."),
            ms: z.number().describe("From the request's head on."),
          }),
        )
        .optional()
        .describe("The pieces in which a streamed answer was written, as far as its body is kept."),
    }),
  })
  .meta({ title: "RecordedRequest" });
export type RecordedRequest = z.infer<typeof recordedRequestSchema>;

export const requestPageSchema = z.object({
  requests: z.array(recordedSummarySchema),
  total: z.number().int().describe("All that are stored, whatever the filter."),
  has_more: z.boolean().describe("There are older ones that the filter fits: ask again with `before`."),
  dropped: z.number().int().describe("Requests of this run that were not recorded, because they came too fast."),
});
export type RequestPage = z.infer<typeof requestPageSchema>;

/** Members of a summary that a page can be sorted by. */
const requestSortNames = ["time", "service", "method", "path", "status", "ms", "response_size"] as const;

export const requestPageQuery = requestFilterSchema.extend({
  ...sortQuery(requestSortNames),
  limit: wholeNumber(z.int().min(1).max(500)).default(100).describe("At most this many."),
});

const timeout = wholeNumber(z.int().min(0).max(300_000)).describe("How long to wait, in ms.");

export const waitQuery = requestFilterSchema.extend({
  count: wholeNumber(z.int().min(1).max(500)).default(1).describe("Wait until there are this many."),
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
    exactly: times.describe("There must be just this many of them."),
    at_least: times.describe("There must be this many or more; 1 unless exactly or at_most is given."),
    at_most: times.describe("There must not be more than this many."),
    timeout_ms: timeout.default(0).describe("How long to wait for it to become true, in ms."),
  })
  .strict()
  .refine(({ exactly, at_least, at_most }) => exactly === undefined || (at_least ?? at_most) === undefined, {
    path: ["exactly"],
    message: conditions["condition.exactly"],
  });
export type Assertion = z.output<typeof assertionSchema>;

export const assertionResultSchema = z.object({
  count: z.number().int(),
  requests: z.array(recordedSummarySchema).describe("The newest of them, at most 100."),
});

/** The message of `GET /console/api/requests/stream`, at most ten times a second. */
export const recordingStateSchema = z.object({
  newest_id: z.number().int().describe("Of the newest recorded request; 0 when there was none yet."),
  total: z.number().int(),
  dropped: z.number().int(),
});
export type RecordingState = z.infer<typeof recordingStateSchema>;

export const harQuery = requestFilterSchema.extend({
  limit: wholeNumber(z.int().min(1).max(10_000)).default(1000).describe("At most this many, the newest."),
});
