import { EventEmitter } from "node:events";
import { sql, type ExpressionBuilder, type Generated, type Selectable, type SelectQueryBuilder } from "kysely";
import type { z } from "zod";
import type { EventCounts, EventPage, eventListQuery } from "../../contract/console/traffic/event-endpoints.ts";
import { emptyHistogram, histogramOf, timeSteps, type Histogram } from "../../contract/console/traffic/histogram.ts";
import { columnOrder } from "../../contract/sort.ts";
import { hideKeys } from "../../contract/process/access-keys.ts";
import type { CloudEvent } from "../../contract/console/traffic/stored-event.ts";
import type { EventDelivery } from "../../contract/console/traffic/event-delivery.ts";
import type { Database, Migrations } from "../../store/database.ts";
import { contains } from "../../store/contains.ts";
import { faultMarksText } from "../../contract/fault-mark.ts";
import { faultsOf } from "../../trace/fault-hits.ts";
import { currentTraceparent } from "../../trace/span.ts";
import { parameterRow } from "../../store/prepared-statement.ts";

interface EventsTable {
  id: Generated<number>;
  source: string;
  type: string;
  subject: string | null;
  time: number;
  /** JSON. */
  data: string;
  traceparent: string | null;
  /** See faultMarksText. */
  faults: string | null;
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
  "012_event_spans": {
    up: (db) => db.schema.alterTable("events").addColumn("traceparent", "text").execute(),
  },
  "014_event_faults": {
    up: (db) => db.schema.alterTable("events").addColumn("faults", "text").execute(),
  },
};

/** How many events are kept (our choice); older ones go. */
const keep = 100_000;
/** Deleting at every insert would double its cost. */
const pruneEvery = 1_000;

/** An event matches when it meets every condition that is present. */
interface Filter {
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly subject?: string | undefined;
  /** Text in the type, the source, the subject or the data. */
  readonly q?: string | undefined;
  /** Types that match `q` as well, with commas between. */
  readonly q_types?: string | undefined;
  /** ISO 8601; `until` is exclusive. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

interface EventLogDeps {
  readonly database: Database<EventLogTables>;
  readonly now: () => number;
  /** Called when old events could not be deleted. */
  readonly onError: (error: unknown) => void;
}

/** The log of all events in order, as CloudEvents 1.0. */
export class EventLog {
  readonly #deps: EventLogDeps;
  readonly #stored = new EventEmitter().setMaxListeners(0);
  #sincePrune = pruneEvery - 1; // with the first event: many a run has fewer
  readonly #insert;

  constructor(deps: EventLogDeps) {
    this.#deps = deps;
    const { writes, db } = deps.database;
    this.#insert = writes.prepare(
      db
        .insertInto("events")
        .values(parameterRow(["source", "type", "subject", "time", "data", "traceparent", "faults"]))
        .returning("id"),
    );
  }

  async append(event: EventDelivery): Promise<CloudEvent> {
    const added = await this.#deps.database.writes.write(() => this.insert(event));
    this.announce(added);
    return added;
  }

  /** Stores an event inside of a `write`, together with the change it reports. Call `announce` once that is on disk. */
  async insert({ source, type, subject, data }: EventDelivery): Promise<CloudEvent> {
    const row = {
      ...{ source, type, subject: subject === undefined ? null : hideKeys(subject) },
      ...{ time: this.#deps.now(), data: hideKeys(JSON.stringify(data ?? null)) },
      traceparent: currentTraceparent() ?? null,
      faults: faultMarksText(faultsOf()),
    };
    const [added] = await this.#insert(row);
    if (!added) throw new Error("an event has no id");
    return toCloudEvent({ ...row, ...added });
  }

  announce(event: CloudEvent): void {
    this.#stored.emit("stored", event);
    if (++this.#sincePrune >= pruneEvery) this.#prune(Number(event.id));
  }

  /** Newest first unless sorted. */
  async page({ before, sort, offset = 0, limit, ...filter }: z.output<typeof eventListQuery>): Promise<EventPage> {
    const { column, direction } = columnOrder(sort);
    const all = this.#deps.database.db.selectFrom("events");
    const chosen = all.where((e) => e.and(conditions(e, filter)));
    const total = await countOf(chosen);
    const rows = await chosen
      .selectAll()
      .$if(before !== undefined, (query) => query.where("id", "<", before ?? 0))
      .orderBy(column, direction)
      .orderBy("id", "desc")
      .limit(limit)
      .offset(offset)
      .execute();
    const isFiltered = Object.values(filter).some((one) => one !== undefined);
    return { events: rows.map(toCloudEvent), total, stored: isFiltered ? await countOf(all) : total };
  }

  /** Counts the events that match over time, from `since` to `until` or over all stored ones, in at most `most` bars. */
  async histogram(filter: Filter, most: number): Promise<Histogram> {
    const { db } = this.#deps.database;
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
  }

  /** Counts all stored events by source and type, the most frequent first. */
  async counts(): Promise<EventCounts> {
    const { db } = this.#deps.database;
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
  }

  /** The events after an id, oldest first, at most `limit`. */
  async after(id: number, limit: number): Promise<CloudEvent[]> {
    const rows = await this.#deps.database.db
      .selectFrom("events")
      .selectAll()
      .where("id", ">", id)
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(toCloudEvent);
  }

  /** Id of the newest event; 0 when there is none. */
  async newestId(): Promise<number> {
    const row = await this.#deps.database.db
      .selectFrom("events")
      .select((e) => e.fn.max("id").as("id"))
      .executeTakeFirst();
    return row?.id ?? 0;
  }

  /** Calls `listen` with every event stored from now on. */
  subscribe(listen: (event: CloudEvent) => void): () => void {
    this.#stored.on("stored", listen);
    return () => void this.#stored.off("stored", listen);
  }

  #prune(newest: number): void {
    const { database, onError } = this.#deps;
    this.#sincePrune = 0;
    const old = database.db.deleteFrom("events").where("id", "<=", newest - keep);
    old.execute().catch(onError);
  }
}

async function countOf(events: SelectQueryBuilder<EventLogTables, "events", object>): Promise<number> {
  const counted = events.select((e) => e.fn.countAll<number>().as("count"));
  return (await counted.executeTakeFirstOrThrow()).count;
}

function conditions(
  e: ExpressionBuilder<EventLogTables, "events">,
  { type, source, subject, q, q_types, since, until }: Filter,
) {
  const equal = Object.entries({ type, source, subject }).filter(([, value]) => value !== undefined);
  const textTypes = q_types ? [e("type", "in", q_types.split(","))] : [];
  return [
    ...equal.map(([column, value]) => e(column as "type", "=", value ?? "")),
    ...(since === undefined ? [] : [e("time", ">=", Date.parse(since))]),
    ...(until === undefined ? [] : [e("time", "<", Date.parse(until))]),
    ...(q ? [e.or([...searched.map((column) => contains(e.ref(column), q)), ...textTypes])] : []),
  ];
}

/** Types whose last word says that something went wrong. */
const failedType = sql<boolean>`type like '%.rejected' or type like '%.refused' or type like '%.failed' or type like '%.lost' or type like '%.damaged'`;

const searched = ["type", "source", "subject", "data", "traceparent"] as const;

const toCloudEvent = (row: Selectable<EventsTable>): CloudEvent => ({
  specversion: "1.0",
  id: String(row.id),
  source: row.source,
  type: row.type,
  ...(row.subject !== null && { subject: row.subject }),
  time: new Date(row.time).toISOString(),
  ...(row.traceparent !== null && { traceparent: row.traceparent }),
  ...(row.faults !== null && { faults: row.faults }),
  datacontenttype: "application/json",
  data: JSON.parse(row.data) as unknown,
});
