import { EventEmitter } from "node:events";
import { sql, type ExpressionBuilder, type Generated, type Selectable } from "kysely";
import type { EventCounts } from "../../contract/console/console.ts";
import { emptyHistogram, histogramOf, timeSteps, type Histogram } from "../../contract/console/traffic/histogram.ts";
import { hideKeys } from "../../contract/process/access-keys.ts";
import type { CloudEvent, EventDelivery } from "../../contract/console/traffic/events.ts";
import type { Database, Migrations } from "../../store/database.ts";
import { contains } from "../../store/contains.ts";
import { parameter } from "../../store/prepared-statement.ts";

interface EventsTable {
  id: Generated<number>;
  source: string;
  type: string;
  subject: string | null;
  time: number;
  /** JSON. */
  data: string;
}

export interface EventLogTables {
  events: EventsTable;
}

export const eventLogMigrations: Migrations = {
  "005_events": {
    async up(db) {
      await db.schema
        .createTable("events")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("source", "text", (c) => c.notNull())
        .addColumn("type", "text", (c) => c.notNull())
        .addColumn("subject", "text")
        .addColumn("time", "integer", (c) => c.notNull())
        .addColumn("data", "text", (c) => c.notNull())
        .execute();
      await db.schema.createIndex("events_by_type").on("events").columns(["type", "id"]).execute();
      await db.schema.createIndex("events_by_time").on("events").columns(["time", "type"]).execute();
    },
  },
};

/** How many events are kept (our choice); older ones go. */
const keep = 100_000;
/** Deleting at every insert would double its cost. */
const pruneEvery = 1_000;

/** An event fits when it fulfils every given condition. */
interface Filter {
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly subject?: string | undefined;
  /** Text in the type, the source, the subject or the data. */
  readonly q?: string | undefined;
  /** ISO 8601; `until` is exclusive. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

interface Page extends Filter {
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface EventLog {
  append(event: EventDelivery): Promise<CloudEvent>;
  /** Stores an event inside of a `write`, together with the change it reports. Call `announce` once that is on disk. */
  insert(event: EventDelivery): Promise<CloudEvent>;
  announce(event: CloudEvent): void;
  /** Newest first. */
  page(page: Page): Promise<{ events: CloudEvent[]; total: number }>;
  /** What fits over time, from `since` to `until` or over all that is stored, in at most `most` bars. */
  histogram(filter: Filter, most: number): Promise<Histogram>;
  /** Of all stored events, the most frequent first. */
  counts(): Promise<EventCounts>;
  /** The events after an id, oldest first, at most `limit`. */
  after(id: number, limit: number): Promise<CloudEvent[]>;
  /** Id of the newest event; 0 when there is none. */
  newestId(): Promise<number>;
  /** Calls `listen` with every event stored from now on. */
  subscribe(listen: (event: CloudEvent) => void): () => void;
}

interface EventLogDeps {
  readonly database: Database<EventLogTables>;
  readonly now: () => number;
  /** Called when old events could not be deleted. */
  readonly onError: (error: unknown) => void;
}

/** The log of all events in order, as CloudEvents 1.0. */
export function createEventLog({ database: { db, writes }, now, onError }: EventLogDeps): EventLog {
  const stored = new EventEmitter().setMaxListeners(0);
  let sincePrune = pruneEvery - 1; // with the first event: many a run has fewer
  const insert = writes.prepare(
    db
      .insertInto("events")
      .values({
        source: parameter("source"),
        type: parameter("type"),
        subject: parameter("subject"),
        time: parameter("time"),
        data: parameter("data"),
      })
      .returning("id"),
  );

  function prune(newest: number): void {
    sincePrune = 0;
    const old = db.deleteFrom("events").where("id", "<=", newest - keep);
    old.execute().catch(onError);
  }

  async function insertNow({ source, type, subject, data }: EventDelivery): Promise<CloudEvent> {
    const row = {
      ...{ source, type, subject: subject === undefined ? null : hideKeys(subject) },
      ...{ time: now(), data: hideKeys(JSON.stringify(data ?? null)) },
    };
    const [added] = await insert(row);
    if (!added) throw new Error("an event has no id");
    return toCloudEvent({ ...row, ...added });
  }

  function announce(event: CloudEvent): void {
    stored.emit("stored", event);
    if (++sincePrune >= pruneEvery) prune(Number(event.id));
  }

  return {
    async append(event) {
      const added = await writes.write(() => insertNow(event));
      announce(added);
      return added;
    },
    insert: insertNow,
    announce,

    async page({ before, limit, ...filter }) {
      const chosen = db.selectFrom("events").where((e) => e.and(conditions(e, filter)));
      const { total } = await chosen.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const rows = await chosen
        .selectAll()
        .$if(before !== undefined, (query) => query.where("id", "<", before ?? 0))
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return { events: rows.map(toCloudEvent), total };
    },

    async histogram(filter, most) {
      const { from, until } = await db
        .selectFrom("events")
        .select((e) => [e.fn.min("time").as("from"), e.fn.max("time").as("until")])
        .executeTakeFirstOrThrow();
      if (from === null || until === null) return emptyHistogram;
      const since = filter.since === undefined ? from : Date.parse(filter.since);
      const steps = timeSteps(since, filter.until === undefined ? until + 1 : Date.parse(filter.until), most);
      const counted = await db
        .selectFrom("events")
        .where((e) => e.and(conditions(e, filter)))
        .select([
          sql<number>`cast((time - ${steps.first}) / ${steps.stepMs} as integer)`.as("step"),
          sql<number>`count(*)`.as("count"),
          sql<number>`count(*) filter (where ${failedType})`.as("failed"),
        ])
        .groupBy("step")
        .execute();
      return histogramOf(steps, new Map(counted.map(({ step, ...counts }) => [step, counts])));
    },

    async counts() {
      const sources = await db
        .selectFrom("events")
        .select((e) => ["source", e.fn.countAll<number>().as("count")])
        .groupBy("source")
        .orderBy("count", "desc")
        .execute();
      const types = await db
        .selectFrom("events")
        .select((e) => ["type", e.fn.countAll<number>().as("count")])
        .groupBy("type")
        .orderBy("count", "desc")
        .execute();
      return { sources, types };
    },

    async after(id, limit) {
      const rows = await db.selectFrom("events").selectAll().where("id", ">", id).orderBy("id").limit(limit).execute();
      return rows.map(toCloudEvent);
    },

    async newestId() {
      const row = await db
        .selectFrom("events")
        .select((e) => e.fn.max("id").as("id"))
        .executeTakeFirst();
      return row?.id ?? 0;
    },

    subscribe(listen) {
      stored.on("stored", listen);
      return () => void stored.off("stored", listen);
    },
  };
}

function conditions(
  e: ExpressionBuilder<EventLogTables, "events">,
  { type, source, subject, q, since, until }: Filter,
) {
  const equal = Object.entries({ type, source, subject }).filter((given) => given[1] !== undefined);
  return [
    ...equal.map(([column, value]) => e(column as "type", "=", value ?? "")),
    ...(since === undefined ? [] : [e("time", ">=", Date.parse(since))]),
    ...(until === undefined ? [] : [e("time", "<", Date.parse(until))]),
    ...(q ? [e.or(searched.map((column) => contains(e.ref(column), q)))] : []),
  ];
}

/** Types whose last word says that something went wrong. */
const failedType = sql<boolean>`type like '%.rejected' or type like '%.refused' or type like '%.failed' or type like '%.lost' or type like '%.damaged'`;

const searched = ["type", "source", "subject", "data"] as const;

const toCloudEvent = (row: Selectable<EventsTable>): CloudEvent => ({
  specversion: "1.0",
  id: String(row.id),
  source: row.source,
  type: row.type,
  ...(row.subject !== null && { subject: row.subject }),
  time: new Date(row.time).toISOString(),
  datacontenttype: "application/json",
  data: JSON.parse(row.data) as unknown,
});
