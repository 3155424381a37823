import { setImmediate } from "node:timers/promises";
import type { ExpressionBuilder, Selectable } from "kysely";
import type {
  FileChange,
  FileEvent,
  FileEventCounts,
  FileEventPage,
  FileEventQuery,
} from "../../contract/app/file-events.ts";
import { columnOrder } from "../../contract/sort.ts";
import { trimEndOf } from "../../contract/trim-end-of.ts";
import { contains } from "../../store/contains.ts";
import { parameterRow } from "../../store/prepared-statement.ts";
import type { EventDatabase } from "../../store/event-writes.ts";
import type { FileEventsTable, FileEventsTables } from "./file-events-table.ts";

/** How many events are kept (our choice); older ones go. */
const keep = 100_000;
/** Deleting at every insert would double its cost. Deleting this many at a time takes a few milliseconds. */
const pruneStep = 1_000;

type Builder = ExpressionBuilder<FileEventsTables, "file_events">;

/** The columns with a path of an event. */
const paths = ["df", "moved_from"] as const;

/** The conditions for `q` and `path`. */
function narrowed(e: Builder, { q, path }: Pick<FileEventQuery, "q" | "path">) {
  const conditions = [e("is_departure", "=", 0)];
  if (q !== undefined && q !== "") conditions.push(e.or(paths.map((column) => contains(e.ref(column), q))));
  if (path !== undefined && path !== "") conditions.push(e.or(paths.flatMap((column) => at(e, column, path))));
  return e.and(conditions);
}

/** Conditions for a file, or for those in a folder, with either path separator. They are ranges, so that the index is used. */
function at(e: Builder, column: (typeof paths)[number], path: string) {
  const folder = trimEndOf(path, "\\/");
  const below = ["/", "\\"].map((separator) => {
    const next = String.fromCharCode(separator.charCodeAt(0) + 1);
    return e.and([e(column, ">=", folder + separator), e(column, "<", folder + next)]);
  });
  return [e(column, "=", path), ...below];
}

interface Notification {
  readonly df: string;
  readonly ev: FileChange;
  readonly eventId: string | undefined;
  /** Half of a move: the event id of the half with the old path. */
  readonly moveId: string | undefined;
}

const toEvent = ({
  moved_from,
  received_at,
  ...event
}: Omit<Selectable<FileEventsTable>, "event_id" | "is_departure">): FileEvent => ({
  ...event,
  ...(moved_from !== null && { moved_from }),
  received_at: new Date(received_at).toISOString(),
});

interface Deps {
  readonly database: EventDatabase<FileEventsTables>;
  /** Unix time in ms. */
  readonly now: () => number;
}

export type FileEventStore = ReturnType<typeof createFileEventStore>;

/** The received file events. Each is also published as an event of the server. */
export function createFileEventStore({ database: { db, writes }, now }: Deps) {
  const insert = writes.prepare(
    db
      .insertInto("file_events")
      .values(parameterRow(["event_id", "df", "ev", "moved_from", "is_departure", "received_at"]))
      .onConflict((conflict) => conflict.column("event_id").doNothing())
      .returning("id"),
  );
  // The first event of each run prunes, too; otherwise many short runs would pile up events.
  let sincePrune = pruneStep;

  async function prune(newest: number): Promise<void> {
    sincePrune = 0;
    for (;;) {
      const { numDeletedRows } = await db
        .deleteFrom("file_events")
        .where("id", "in", (e) =>
          e
            .selectFrom("file_events")
            .select("id")
            .where("id", "<=", newest - keep)
            .orderBy("id")
            .limit(pruneStep),
        )
        .executeTakeFirst();
      if (numDeletedRows < pruneStep) return;
      await setImmediate();
    }
  }

  async function countAll(): Promise<number> {
    const all = db
      .selectFrom("file_events")
      .select((e) => e.fn.countAll<number>().as("stored"))
      .where("is_departure", "=", 0);
    return (await all.executeTakeFirstOrThrow()).stored;
  }

  async function oldPath(departure: string): Promise<string | undefined> {
    const found = db.selectFrom("file_events").select("df").where("event_id", "=", departure);
    return (await found.executeTakeFirst())?.df;
  }

  return {
    /** Does nothing when an event with this id is already stored. */
    async add({ df, ev, eventId, moveId }: Notification): Promise<void> {
      const receivedAt = now();
      const isDeparture = moveId !== undefined && moveId === eventId;
      const movedFrom = moveId === undefined || isDeparture ? undefined : await oldPath(moveId);
      const stored = await writes.writeWithEvent(
        async (): Promise<FileEvent | undefined> => {
          const [row] = await insert({
            ...{ event_id: eventId, df, ev, received_at: receivedAt },
            ...{ moved_from: movedFrom, is_departure: isDeparture ? 1 : 0 },
          });
          return row && toEvent({ id: row.id, df, ev, moved_from: movedFrom ?? null, received_at: receivedAt });
        },
        (event) => ({ type: "file.changed", source: "/app/file-events", subject: df, data: event }),
      );
      if (stored && ++sincePrune > pruneStep) await prune(stored.id);
    },

    /** Newest first unless sorted. */
    async page({ before, sort, offset = 0, limit, ev, ...query }: FileEventQuery): Promise<FileEventPage> {
      const { column, direction } = columnOrder(sort);
      const counted = await db
        .selectFrom("file_events")
        .select((e) => ["ev", e.fn.countAll<number>().as("events")])
        .where((e) => narrowed(e, query))
        .groupBy("ev")
        .execute();
      const rows = await db
        .selectFrom("file_events")
        .select(["id", "df", "ev", "moved_from", "received_at"])
        .where((e) => narrowed(e, query))
        .$if(ev !== undefined, (chosen) => chosen.where("ev", "=", ev as FileChange))
        .$if(before !== undefined, (chosen) => chosen.where("id", "<", before ?? 0))
        .orderBy(column, direction)
        .orderBy("id", "desc")
        .limit(limit)
        .offset(offset)
        .execute();
      const counts: FileEventCounts = { modify: 0, attrib: 0, move: 0, create: 0, delete: 0 };
      for (const { ev: kind, events } of counted) counts[kind] = events;
      const ofAllKinds = Object.values(counts).reduce((sum, one) => sum + one, 0);
      const total = ev === undefined ? ofAllKinds : counts[ev];
      const isNarrowed = [query.q, query.path].some((one) => one !== undefined && one !== "");
      const stored = isNarrowed ? await countAll() : ofAllKinds;
      return { events: rows.map(toEvent), total, stored, counts };
    },
  };
}
