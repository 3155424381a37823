/** The operations of the event log. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { sortQuery } from "../../sort.ts";
import { wholeNumber } from "../../whole-number.ts";
import { barsQuery, histogramSchema } from "./histogram.ts";
import { cloudEventSchema } from "./stored-event.ts";

/** GET /console/api/events: the newest first unless sorted. */
export const eventPageSchema = z.object({
  events: z.array(cloudEventSchema),
  total: z.number().int().describe("Number of matches on all pages."),
  stored: z.number().int().describe("Number of all events, without the filter."),
});
export type EventPage = z.infer<typeof eventPageSchema>;
export const eventPageQuery = z.object({
  ...sortQuery(["time", "type", "source"]),
  before: wholeNumber(z.int().positive()).optional(),
  limit: wholeNumber(z.int().min(1).max(500)).default(100),
  type: z.string().optional(),
});
const time = (what: string) => z.iso.datetime({ offset: true }).optional().describe(what);
/** Selects events that match all given members. */
const eventFilter = {
  type: z.string().optional(),

  source: z
    .string()
    .optional()
    .describe("Only events with this source.")
    .meta({ examples: ["/app/uploads"] }),
  subject: z
    .string()
    .optional()
    .describe("Only events with this subject.")
    .meta({ examples: ["articles/1"] }),
  q: z.string().optional().describe("Text in the type, source, subject or data."),
  q_types: z.string().optional().describe("Types to add to the matches of `q`, separated by commas."),
  since: time("Events of this time or later."),
  until: time("Events before this time."),
};
export const eventListQuery = eventPageQuery.extend(eventFilter);
export const eventHistogramQuery = barsQuery.extend(eventFilter);

/** GET /console/api/events/counts: the number of stored events by source and type, the most frequent first. */
export const eventCountsSchema = z.object({
  sources: z.array(z.object({ source: z.string(), count: z.number().int() })),
  types: z.array(z.object({ type: z.string(), count: z.number().int() })),
});
export type EventCounts = z.infer<typeof eventCountsSchema>;

/**
 * Returns a page of the events that match the filter, newest first. To get the next page, pass a page's last id as
 * `before`.
 */
export const listEvents = endpoint({
  id: "listEvents",
  tag: "events",
  method: "GET",
  path: "/console/api/events",
  access: "console",
  status: 200,
  query: eventListQuery,
  data: eventPageSchema,
});

/** Returns how many matching events occurred over time. The steps are those of the histogram of requests. */
export const getEventHistogram = endpoint({
  id: "getEventHistogram",
  tag: "events",
  method: "GET",
  path: "/console/api/events/histogram",
  access: "console",
  status: 200,
  query: eventHistogramQuery,
  data: histogramSchema,
});

/** Returns the number of events by source and by type. */
export const countEvents = endpoint({
  id: "countEvents",
  tag: "events",
  method: "GET",
  path: "/console/api/events/counts",
  access: "console",
  status: 200,
  data: eventCountsSchema,
});

/**
 * Streams each event as soon as it is stored. The stream has server-sent events named `event`: data is the event's
 * JSON, id is the event's id. With Last-Event-ID, the events since then come first, so a reconnecting client misses
 * nothing. A message named `activity` without an id reports newly recorded requests, at most twice a second.
 */
export const streamStoredEvents = endpoint({
  id: "streamStoredEvents",
  tag: "events",
  method: "GET",
  path: "/console/api/events/stream",
  access: "console",
  status: 200,
  produces: ["text/event-stream"],
  requestHeaders: ["Last-Event-ID"],
});
