/** Counts of requests: the bars above a list, the traffic of the last minutes, and the calls of each route. */
import { z } from "zod";
import { requestSenderSchema, requestServiceSchema } from "./requests.ts";
import { wholeNumber } from "../../whole-number.ts";

export const barsQuery = z.object({
  bars: wholeNumber(z.int().min(2).max(200)).default(60).describe("At most this many bars."),
});

/** Counts of the matches of a filter in equal steps of time, oldest first, steps without any included. */
export const histogramSchema = z.object({
  step_ms: z.number().int(),
  bars: z.array(
    z.object({
      at: z.number().int().describe("Start of the step, Unix time in ms."),
      count: z.number().int(),
      failed: z.number().int().describe("Number of failures."),
    }),
  ),
});
export type Histogram = z.infer<typeof histogramSchema>;

/** The histogram of an empty list. */
export const emptyHistogram: Histogram = { step_ms: 1_000, bars: [] };

/** Equal steps of time. `first` is the begin of the first one, Unix time in ms. */
export interface TimeSteps {
  readonly first: number;
  readonly stepMs: number;
  readonly count: number;
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const day = 24 * hour;
const roundSteps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28].map((count) => count * day),
];

/** The shortest round steps that cover the time from `from` to before `until` (Unix ms) by at most `most` of them, at least 2. */
export function timeSteps(from: number, until: number, most: number): TimeSteps {
  const last = Math.max(from, until - 1);
  const countOf = (stepMs: number) => Math.floor(last / stepMs) - Math.floor(from / stepMs) + 1;
  const longest = 28 * day * Math.max(1, Math.ceil((last - from) / (28 * day * (most - 1))));
  const stepMs = roundSteps.find((step) => countOf(step) <= most) ?? longest;
  return { first: Math.floor(from / stepMs) * stepMs, stepMs, count: Math.min(most, countOf(stepMs)) };
}

/** The bars of counted steps; those that are not among `counted` are empty. */
export function histogramOf(
  { first, stepMs, count }: TimeSteps,
  counted: ReadonlyMap<number, { readonly count: number; readonly failed: number }>,
): Histogram {
  const bars = Array.from({ length: count }, (_, index) => {
    const { count: all = 0, failed = 0 } = counted.get(index) ?? {};
    return { at: first + index * stepMs, count: all, failed };
  });
  return { step_ms: stepMs, bars };
}

/** GET /console/api/requests/traffic: the last five minutes in steps, oldest first. */
export const trafficSchema = z.object({
  step_ms: z.number().int(),
  points: z.array(
    z.object({
      at: z.number().int().describe("Start of the step, Unix time in ms."),
      requests: z.number().int().describe("Number of calls that ended in the step."),
      failed: z.number().int().describe("Number of calls with a status of 500 or above, or without an answer."),
      p50_ms: z.number().optional().describe("Median duration of the calls. Absent without calls."),
      p95_ms: z.number().optional(),
    }),
  ),
  edges: z
    .array(
      z.object({
        sender: requestSenderSchema,
        service: requestServiceSchema,
        requests: z.number().int(),
        failed: z.number().int(),
        p95_ms: z.number().describe("95th percentile of the durations."),
        last_at: z.number().int().describe("End of the latest call, Unix time in ms."),
      }),
    )
    .describe("The same calls by caller and service."),
});
export type Traffic = z.infer<typeof trafficSchema>;

/** GET /console/api/requests/routes */
export const routeCallsSchema = z.object({
  calls: z.array(
    z.object({
      method: z.string(),
      path: z
        .string()
        .describe("Path as in the API description.")
        .meta({ examples: ["/api/articles/{id}"] }),
      status: z
        .number()
        .int()
        .optional()
        .describe("Status of the answer. Absent if the client left before the answer."),
      count: z.number().int(),
    }),
  ),
});
export type RouteCalls = z.infer<typeof routeCallsSchema>;
