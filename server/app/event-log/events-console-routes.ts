import {
  countEvents,
  getEventHistogram,
  listEvents,
  streamStoredEvents,
} from "../../contract/console/traffic/event-endpoints.ts";
import { createEvent } from "../../contract/console/traffic/event-delivery.ts";
import { eventSchemas } from "../../contract/console/traffic/events.ts";
import type { EventStreams } from "../../http/connection/bodies/event-streams.ts";
import { route, type Route } from "../../http/route.ts";
import { validate } from "../../http/messages/validate.ts";
import type { EventFeed } from "./event-feed.ts";
import type { EventLog } from "./event-log.ts";

/** The console's operations on events, and the delivery of events from other processes. */
export const eventsConsoleRoutes = (events: EventLog, streams: EventStreams, feed: EventFeed): Route[] => [
  route(listEvents, async ({ query }) => ({ data: await events.page(query) })),
  route(countEvents, async () => ({ data: await events.counts() })),
  route(getEventHistogram, async ({ query: { bars, ...filter } }) => ({ data: await events.histogram(filter, bars) })),
  /** Streams events as they are stored (SSE). With `Last-Event-ID` the later ones come first. */
  route(streamStoredEvents, async (_input, { req, res }) => {
    const resumeAt = String(req.headers["last-event-id"] ?? "");
    const after = /^\d{1,15}$/.test(resumeAt) ? Number(resumeAt) : undefined;
    // Before the head of the answer: a client that has it gets all events from then on.
    const start = await feed.startFrom(after);
    const stream = streams.open(req, res);
    // The id alone, so that a client that is cut off before the first event can resume here.
    if (after === undefined) stream?.write(Buffer.from(`id: ${String(start)}\n\n`));
    if (stream) feed.follow(stream, start);
    return { sent: true };
  }),
  route(createEvent, async ({ body }) => {
    const data: unknown = validate(eventSchemas[body.type], body.data, "data");
    return { data: await events.append({ ...body, data }) };
  }),
];
