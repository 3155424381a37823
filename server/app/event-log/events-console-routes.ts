import {
  countEvents,
  createEvent,
  getEventHistogram,
  listEvents,
  streamStoredEvents,
} from "../../contract/console/console-endpoints.ts";
import { eventSchemas } from "../../contract/console/traffic/events.ts";
import type { EventStreams } from "../../http/connection/bodies/event-streams.ts";
import { route, type Route } from "../../http/route.ts";
import { validate } from "../../http/messages/validate.ts";
import type { EventFeed } from "./event-feed.ts";
import type { EventLog } from "./event-log.ts";
import { streamEvents } from "./event-stream.ts";

/** The console's operations on events, and the delivery of events from other processes. */
export const eventsConsoleRoutes = (events: EventLog, streams: EventStreams, feed: EventFeed): Route[] => [
  route(listEvents, async ({ query }) => ({ data: await events.page(query) })),
  route(countEvents, async () => ({ data: await events.counts() })),
  route(getEventHistogram, async ({ query: { bars, ...filter } }) => ({ data: await events.histogram(filter, bars) })),
  route(streamStoredEvents, async (_input, { req, res }) => {
    await streamEvents(req, res, streams, feed);
    return { sent: true };
  }),
  route(createEvent, async ({ body }) => {
    const data: unknown = validate(eventSchemas[body.type], body.data, "data");
    return { data: await events.append({ ...body, data }) };
  }),
];
