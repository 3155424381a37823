import { sql } from "kysely";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import type { PreparedRead, PreparedReads } from "../database.ts";
import { isFolded } from "../contains.ts";
import { parameter, parameterRow } from "../prepared-statement.ts";
import { filterParameters, matchingRecords, fieldValue, type RecordQuery } from "./record-query.ts";
import { createRecordRules, type RecordRules, type Referrer } from "./record-rules.ts";
import { isRecordId, toRecord, type RecordsTable, type RecordTables, type StoredRecord } from "./record-tables.ts";
import type { EventDatabase } from "../event-writes.ts";

/**
 * Documents by collection and id. Ids start at 1 in each collection and are never reused. Each change publishes an
 * event.
 */
export interface RecordStore {
  /** @throws DuplicateError, DanglingError when the record breaks a rule */
  insert(
    collection: string,
    ownerId: number,
    data: Readonly<Record<string, unknown>>,
    rules?: RecordRules,
  ): Promise<StoredRecord>;
  /**
   * Inserts a deleted record again, as it was, at a higher version. Undefined when its id is taken.
   * @throws DuplicateError, DanglingError when the record breaks a rule
   */
  restore(collection: string, deleted: StoredRecord, rules?: RecordRules): Promise<StoredRecord | undefined>;
  get(collection: string, id: number): Promise<StoredRecord | undefined>;
  list(collection: string, query: RecordQuery): Promise<{ records: StoredRecord[]; total: number }>;
  /**
   * Undefined when there is no such record, or its version is not `version`.
   * @throws DuplicateError, DanglingError when the record breaks a rule
   */
  replace(
    collection: string,
    id: number,
    version: number,
    data: Readonly<Record<string, unknown>>,
    rules?: RecordRules,
  ): Promise<StoredRecord | undefined>;
  /**
   * False when there is no such record, or its version is not `version`.
   * @throws ReferredError when another record refers to it in one of the fields `referrers`
   */
  delete(collection: string, id: number, version: number, referrers?: readonly Referrer[]): Promise<boolean>;
  /** What is made of a record that was read: made once where the same record is read again. */
  readonly derived: PreparedReads["derived"];
}

/** The number of kinds of lists, by filters and sort fields, whose compiled queries are cached. */
const maxListShapes = 200;

interface Deps {
  readonly database: EventDatabase<RecordTables>;
  /** Unix time in ms. */
  readonly now: () => number;
}

type Change = "resource.created" | "resource.updated" | "resource.deleted";
const changeOf = (type: Change, collection: string, id: number): BusMessage => ({
  type,
  source: `/app/${collection}`,
  subject: `${collection}/${String(id)}`,
  data: { collection, id },
});

export function createRecordStore({ database: { db, reads, writes }, now }: Deps): RecordStore {
  const checks = createRecordRules(db, writes);
  const nextId = writes.prepare(
    db
      .insertInto("record_sequences")
      .values({ collection: parameter("collection"), last_id: 1 })
      .onConflict((conflict) =>
        conflict.column("collection").doUpdateSet({ last_id: sql`record_sequences.last_id + 1` }),
      )
      .returning("last_id"),
  );
  const insertRow = writes.prepare(
    db
      .insertInto("records")
      .values(parameterRow(["collection", "id", "owner_id", "version", "created_at", "updated_at", "data"] as const)),
  );
  const replaceRow = writes.prepare(
    db
      .updateTable("records")
      .set({ data: parameter("data"), version: sql`version + 1`, updated_at: parameter("updated_at") })
      .where("collection", "=", parameter<string>("collection"))
      .where("id", "=", parameter<number>("id"))
      .where("version", "=", parameter<number>("version"))
      .returningAll(),
  );
  const deleteRow = writes.prepare(
    db
      .deleteFrom("records")
      .where("collection", "=", parameter<string>("collection"))
      .where("id", "=", parameter<number>("id"))
      .where("version", "=", parameter<number>("version"))
      .returning("id"),
  );
  const keepVersion = writes.prepare(
    db
      .updateTable("record_sequences")
      .set({ last_version: parameter("version") })
      .where("collection", "=", parameter<string>("collection"))
      .where("last_version", "<", parameter<number>("version")),
  );
  const getOne = reads.prepare(db.selectFrom("records").selectAll().where("collection", "=", "").where("id", "=", 0));
  const lists = new Map<string, { page: PreparedRead<RecordsTable>; total: PreparedRead<{ total: number }> }>();

  const recordOf = reads.derived(toRecord);

  /** The compiled queries for lists with the same filters, search and sort fields, for any values. */
  function listQueries(collection: string, query: RecordQuery) {
    const { visibleTo, ownerId, filters = [], search, sort } = query;
    const shape = JSON.stringify([
      visibleTo?.privateField,
      ownerId !== undefined,
      filters.map(({ field, comparison, values, isList }) => [
        field,
        comparison,
        values.map((one) => typeof one),
        isList,
      ]),
      search?.fields,
      search && isFolded(search.text),
      sort,
    ]);
    const known = lists.get(shape);
    if (known) return known;
    const chosen = matchingRecords(db, collection, query);
    let page = chosen.selectAll("records");
    for (const { field, descending } of sort) page = page.orderBy(fieldValue(field), descending ? "desc" : "asc");
    const prepared = {
      page: reads.prepare(page.limit(0).offset(0)),
      total: reads.prepare(chosen.select((e) => e.fn.countAll<number>().as("total"))),
    };
    if (lists.size >= maxListShapes) lists.delete(lists.keys().next().value ?? "");
    lists.set(shape, prepared);
    return prepared;
  }

  return {
    derived: reads.derived,

    insert(collection, ownerId, data, rules = {}) {
      const text = JSON.stringify(data);
      return writes.writeWithEvent(
        async () => {
          await checks.require(collection, 0, data, rules);
          const [sequence] = await nextId({ collection });
          if (!sequence) throw new Error("a record has no id");
          const time = now();
          const own = { collection, id: sequence.last_id, owner_id: ownerId, version: 1 };
          const row = { ...own, created_at: time, updated_at: time, data: text };
          await insertRow(row);
          return toRecord(row);
        },
        ({ id }) => changeOf("resource.created", collection, id),
      );
    },

    restore(collection, { id, ownerId, createdAt, data }, rules = {}) {
      return writes.writeWithEvent(
        async () => {
          const there = db.selectFrom("records").select("id").where("collection", "=", collection).where("id", "=", id);
          if ((await writes.run(there)).length > 0) return undefined;
          await checks.require(collection, id, data, rules);
          const [sequence] = await writes.run(
            db.selectFrom("record_sequences").select("last_version").where("collection", "=", collection),
          );
          const own = { collection, id, owner_id: ownerId, version: (sequence?.last_version ?? 0) + 1 };
          const row = { ...own, created_at: createdAt, updated_at: now(), data: JSON.stringify(data) };
          await insertRow(row);
          return toRecord(row);
        },
        () => changeOf("resource.created", collection, id),
      );
    },

    async get(collection, id) {
      if (!isRecordId(id)) return undefined;
      const [row] = await getOne(collection, id);
      return row && recordOf(row);
    },

    async list(collection, query) {
      const { page, total } = listQueries(collection, query);
      const filters = filterParameters(collection, query);
      const rows = await page(...filters, query.limit, query.offset);
      // A first page that is not full has all records, so it needs no count.
      const complete = query.offset === 0 && rows.length < query.limit;
      const all = complete ? rows.length : ((await total(...filters))[0]?.total ?? 0);
      return { records: rows.map(recordOf), total: all };
    },

    replace(collection, id, version, data, rules = {}) {
      const text = JSON.stringify(data);
      return writes.writeWithEvent(
        async () => {
          await checks.require(collection, id, data, rules);
          const [row] = await replaceRow({ collection, id, version, data: text, updated_at: now() });
          return row && toRecord(row);
        },
        () => changeOf("resource.updated", collection, id),
      );
    },

    async delete(collection, id, version, referrers = []) {
      const deleted = await writes.writeWithEvent(
        async () => {
          await checks.requireUnreferred(collection, id, referrers);
          const [row] = await deleteRow({ collection, id, version });
          if (row) await keepVersion({ collection, version });
          return row;
        },
        () => changeOf("resource.deleted", collection, id),
      );
      return deleted !== undefined;
    },
  };
}
