import type { Kysely } from "kysely";
import { createFileEvent, fileEventIdHeader } from "../../contract/file-events.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { route, type Route } from "../../http/route.ts";
import type { FileEventsTables } from "./file-events-table.ts";

interface Deps {
  readonly db: Kysely<FileEventsTables>;
  readonly bus: EventBus;
  readonly now: () => number;
}

/** The receiver of file-change notifications (spec: File-change receiver). 202 once stored: acted on later (our choice). */
export function fileEventsRoutes({ db, bus, now }: Deps): Route[] {
  return [
    route(createFileEvent, async ({ body: { df, ev } }, { req }) => {
      const receivedAt = now();
      const stored = await db
        .insertInto("file_events")
        .values({ event_id: req.get(fileEventIdHeader)?.slice(0, 200) ?? null, df, ev, received_at: receivedAt })
        .onConflict((conflict) => conflict.column("event_id").doNothing())
        .returning("id")
        .executeTakeFirst();
      if (stored)
        bus.publish({
          type: "file.changed",
          source: "/app/file-events",
          subject: df,
          data: { id: stored.id, df, ev, received_at: new Date(receivedAt).toISOString() },
        });
      return {};
    }),
  ];
}
