import type { EventStreams } from "../../http/connection/bodies/event-streams.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { EventFeed } from "./event-feed.ts";
import type { EventLog, EventLogTables } from "./event-log.ts";
import { eventsConsoleRoutes } from "./events-console-routes.ts";

interface Ports {
  /** The log to which the database's writes add events. */
  readonly events: EventLog;
  readonly streams: EventStreams;
  /** Calls `listen` when requests have been recorded. */
  readonly onActivity: (listen: () => void) => void;
}

/** The stored events as pages and as a stream. */
export const eventLogFeature: Feature<EventKernel<EventLogTables>, Ports, undefined> = {
  name: "event-log",
  consoleTags: {
    events: "Events of sessions, resources, uploads, files and services: stored, paged and streamed.",
  },
  open({ database: { instances }, log }, { events, streams, onActivity }) {
    const feed = new EventFeed({
      log: events,
      onOthersEvents: (listen) => instances?.subscribe("write", listen),
      onActivity,
      onError: (error) => log.error({ err: error }, "stored events cannot be read"),
    });
    return { consoleRoutes: eventsConsoleRoutes(events, streams, feed), port: undefined };
  },
};
