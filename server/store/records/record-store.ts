import { sql, type Kysely } from "kysely";
import type { ItemId } from "../../contract/app/item-ids.ts";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import { isFolded } from "../contains.ts";
import type { GroupedWrites, PreparedRead, PreparedReads } from "../database.ts";
import { parameter, parameterRow } from "../prepared-statement.ts";
import { filterParameters, matchingRecords, fieldValue, type RecordQuery } from "./record-query.ts";
import { createRecordRules, type RecordRules, type Referrer } from "./record-rules.ts";
import {
  isRecordId,
  publicIdOf,
  textIdOf,
  toRecord,
  toRow,
  type RecordsTable,
  type RecordTables,
  type StoredRecord,
} from "./record-tables.ts";
import type { EventDatabase } from "../event-writes.ts";

/** The number of kinds of lists, by filters and sort fields, whose compiled queries are cached. */
const maxListShapes = 200;

type Data = Readonly<Record<string, unknown>>;
type Change = "resource.created" | "resource.updated" | "resource.deleted";
/** What people call a record, for its events. */
type NameOf = (collection: string, data: Data) => string | undefined;

const prepareStatements = (db: Kysely<RecordTables>, writes: GroupedWrites) => ({
  nextId: writes.prepare(
    db
      .insertInto("record_sequences")
      .values({ collection: parameter("collection"), last_id: 1 })
      .onConflict((conflict) =>
        conflict.column("collection").doUpdateSet({ last_id: sql`record_sequences.last_id + 1` }),
      )
      .returning("last_id"),
  ),
  insert: writes.prepare(
    db
      .insertInto("records")
      .values(
        parameterRow(["collection", "id", "public_id", "owner_id", "version", "created_at", "updated_at", "data"]),
      ),
  ),
  replace: writes.prepare(
    db
      .updateTable("records")
      .set({
        data: parameter("data"),
        public_id: parameter("public_id"),
        version: sql`version + 1`,
        updated_at: parameter("updated_at"),
      })
      .where("collection", "=", parameter<string>("collection"))
      .where("id", "=", parameter<number>("id"))
      .where("version", "=", parameter<number>("version"))
      .returningAll(),
  ),
  delete: writes.prepare(
    db
      .deleteFrom("records")
      .where("collection", "=", parameter<string>("collection"))
      .where("id", "=", parameter<number>("id"))
      .where("version", "=", parameter<number>("version"))
      .returningAll(),
  ),
  keepVersion: writes.prepare(
    db
      .updateTable("record_sequences")
      .set({ last_version: parameter("version") })
      .where("collection", "=", parameter<string>("collection"))
      .where("last_version", "<", parameter<number>("version")),
  ),
});

/**
 * Documents by collection and id. Ids start at 1 in each collection and are never reused. Each change publishes an
 * event.
 */
export class RecordStore {
  /** Caches what `make` returns for a record, as long as reads return the same record. */
  readonly derived: PreparedReads["derived"];
  readonly #database: EventDatabase<RecordTables>;
  readonly #now: () => number;
  readonly #nameOf: NameOf;
  readonly #rules: ReturnType<typeof createRecordRules>;
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #readOne: PreparedRead<RecordsTable>;
  readonly #readNamed: PreparedRead<RecordsTable>;
  readonly #toRecord: (row: RecordsTable) => StoredRecord;
  readonly #lists = new Map<string, { page: PreparedRead<RecordsTable>; total: PreparedRead<{ total: number }> }>();

  /** @param now Unix time in ms */
  constructor(database: EventDatabase<RecordTables>, now: () => number, nameOf: NameOf) {
    const { db, reads, writes } = database;
    this.#database = database;
    this.#now = now;
    this.#nameOf = nameOf;
    this.#rules = createRecordRules(db, writes);
    this.#statements = prepareStatements(db, writes);
    this.#readOne = reads.prepare(
      db.selectFrom("records").selectAll().where("collection", "=", "").where("id", "=", 0),
    );
    this.#readNamed = reads.prepare(
      db.selectFrom("records").selectAll().where("collection", "=", "").where("public_id", "=", ""),
    );
    this.derived = reads.derived;
    this.#toRecord = reads.derived(toRecord);
  }

  /** By its number, or by the text that is its id. */
  async get(collection: string, id: ItemId): Promise<StoredRecord | undefined> {
    if (typeof id === "number" && !isRecordId(id)) return undefined;
    const [row] = await (typeof id === "number" ? this.#readOne(collection, id) : this.#readNamed(collection, id));
    return row && this.#toRecord(row);
  }

  async list(collection: string, query: RecordQuery): Promise<{ records: StoredRecord[]; total: number }> {
    const { page, total } = this.#listQueries(collection, query);
    const filters = filterParameters(collection, query);
    const rows = await page(...filters, query.limit, query.offset);
    // A first page that is not full has all records, so it needs no count.
    const complete = query.offset === 0 && rows.length < query.limit;
    const all = complete ? rows.length : ((await total(...filters))[0]?.total ?? 0);
    return { records: rows.map(this.#toRecord), total: all };
  }

  /** @throws DuplicateError, DanglingError when the record breaks a rule */
  async insert(collection: string, ownerId: number, data: Data, rules: RecordRules = {}): Promise<StoredRecord> {
    const text = JSON.stringify(data);
    return this.#database.writes.writeWithEvent(
      async () => {
        await this.#rules.require(collection, 0, data, rules);
        const [sequence] = await this.#statements.nextId({ collection });
        if (!sequence) throw new Error("a record has no id");
        const time = this.#now();
        return this.#insert({
          collection,
          id: sequence.last_id,
          public_id: textIdOf(data) ?? null,
          owner_id: ownerId,
          version: 1,
          created_at: time,
          updated_at: time,
          data: text,
        });
      },
      (record) => this.#changeOf("resource.created", collection, publicIdOf(record), data),
    );
  }

  /**
   * Inserts a deleted record again, as it was, at a higher version. Undefined when its id is taken.
   * @throws DuplicateError, DanglingError when the record breaks a rule
   */
  async restore(collection: string, deleted: StoredRecord, rules: RecordRules = {}): Promise<StoredRecord | undefined> {
    const { db, writes } = this.#database;
    const { id, data } = deleted;
    return writes.writeWithEvent(
      async () => {
        const same = db.selectFrom("records").select("id").where("collection", "=", collection).where("id", "=", id);
        if ((await writes.run(same)).length > 0) return undefined;
        await this.#rules.require(collection, id, data, rules);
        const [sequence] = await writes.run(
          db.selectFrom("record_sequences").select("last_version").where("collection", "=", collection),
        );
        const version = (sequence?.last_version ?? 0) + 1;
        return this.#insert(toRow(collection, { ...deleted, version, updatedAt: this.#now() }));
      },
      () => this.#changeOf("resource.created", collection, publicIdOf(deleted), data),
    );
  }

  /**
   * Undefined when there is no such record, or its version is not `version`.
   * @throws DuplicateError, DanglingError when the record breaks a rule
   */
  async replace(
    collection: string,
    id: number,
    version: number,
    data: Data,
    rules: RecordRules = {},
  ): Promise<StoredRecord | undefined> {
    const text = JSON.stringify(data);
    return this.#database.writes.writeWithEvent(
      async () => {
        await this.#rules.require(collection, id, data, rules);
        const ids = { collection, id, public_id: textIdOf(data) };
        const updated = { ...ids, version, data: text, updated_at: this.#now() };
        const [row] = await this.#statements.replace(updated);
        return row && toRecord(row);
      },
      () => this.#changeOf("resource.updated", collection, publicIdOf({ id, data }), data),
    );
  }

  /**
   * False when there is no such record, or its version is not `version`.
   * @param publicId its id as clients see it
   * @throws ReferredError when another record refers to it in one of the fields `referrers`
   */
  async delete(
    collection: string,
    id: number,
    version: number,
    publicId: ItemId = id,
    referrers: readonly Referrer[] = [],
  ): Promise<boolean> {
    const deleted = await this.#database.writes.writeWithEvent(
      async () => {
        await this.#rules.requireUnreferred(collection, id, publicId, referrers);
        const [row] = await this.#statements.delete({ collection, id, version });
        if (row) await this.#statements.keepVersion({ collection, version });
        return row;
      },
      (row) => this.#changeOf("resource.deleted", collection, publicId, toRecord(row).data),
    );
    return deleted !== undefined;
  }

  #changeOf(type: Change, collection: string, id: ItemId, data: Data): BusMessage {
    return {
      type,
      source: `/app/${collection}`,
      subject: `${collection}/${String(id)}`,
      data: { collection, id, name: this.#nameOf(collection, data) },
    };
  }

  async #insert(row: RecordsTable): Promise<StoredRecord> {
    await this.#statements.insert({ ...row });
    return toRecord(row);
  }

  /** The compiled queries for lists with the same filters, search and sort fields, for any values. */
  #listQueries(collection: string, query: RecordQuery) {
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
    const known = this.#lists.get(shape);
    if (known) return known;
    const { db, reads } = this.#database;
    const matching = matchingRecords(db, collection, query);
    let page = matching.selectAll("records");
    for (const { field, descending } of sort) page = page.orderBy(fieldValue(field), descending ? "desc" : "asc");
    const prepared = {
      page: reads.prepare(page.limit(0).offset(0)),
      total: reads.prepare(matching.select((e) => e.fn.countAll<number>().as("total"))),
    };
    if (this.#lists.size >= maxListShapes) this.#lists.delete(this.#lists.keys().next().value ?? "");
    this.#lists.set(shape, prepared);
    return prepared;
  }
}
