/** Reads and writes whole collections: seeds, export, import. Each write is atomic. */
import { isDeepStrictEqual } from "node:util";
import { sql, type Kysely, type Transaction } from "kysely";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import { toRecord, type RecordTables, type StoredRecord } from "./record-tables.ts";
import type { RecordRules } from "./record-rules.ts";
import { requireRules } from "./written-records.ts";
import type { Transact } from "../event-writes.ts";

/** A complete collection. */
export interface CollectionContent {
  readonly name: string;
  /** The highest id ever used; the next one is higher. */
  readonly lastId: number;
  readonly records: readonly StoredRecord[];
}

export interface RecordTransfer {
  /** In the order of ids. */
  read(collection: string): Promise<CollectionContent>;
  isEmpty(collection: string): Promise<boolean>;
  /** Inserts items without an owner, if the collection is empty. Returns their number. */
  fill(collection: string, items: readonly Readonly<Record<string, unknown>>[]): Promise<number>;
  /**
   * Adds items without an owner. The event is stored in the same transaction.
   * @throws TransferConflict when one of them breaks a rule; nothing is changed then
   */
  append(
    collection: string,
    items: readonly Readonly<Record<string, unknown>>[],
    rules: RecordRules,
    event: BusMessage,
  ): Promise<void>;
  /**
   * `replace`: the collections get exactly these records, with their versions. `merge`: records with the same id are
   * overwritten and get a version higher than before, so that no If-Match fits by accident. The event is stored in the
   * same transaction.
   * @throws TransferConflict when one of the records has the unique value of another; nothing is changed then
   */
  write(
    collections: readonly (CollectionContent & { readonly unique: readonly string[] })[],
    mode: "replace" | "merge",
    event: BusMessage,
  ): Promise<void>;
}

/** The number of rows in one statement: the database's limit on parameters allows thousands. */
const rowsPerStatement = 500;

export function createRecordTransfer<Tables extends RecordTables>(
  database: Kysely<Tables>,
  now: () => number,
  transactAny: Transact<Tables>,
): RecordTransfer {
  const db = database as unknown as Kysely<RecordTables>;
  const transact = transactAny as unknown as Transact<RecordTables>;

  async function insert(trx: Transaction<RecordTables>, name: string, records: readonly StoredRecord[]) {
    for (let from = 0; from < records.length; from += rowsPerStatement) {
      const rows = records.slice(from, from + rowsPerStatement).map((record) => ({
        collection: name,
        id: record.id,
        owner_id: record.ownerId,
        version: record.version,
        created_at: record.createdAt,
        updated_at: record.updatedAt,
        data: JSON.stringify(record.data),
      }));
      await trx
        .insertInto("records")
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(["collection", "id"]).doUpdateSet((e) => ({
            owner_id: e.ref("excluded.owner_id"),
            version: sql<number>`case when excluded.version > records.version then excluded.version else records.version + 1 end`,
            created_at: e.ref("excluded.created_at"),
            updated_at: e.ref("excluded.updated_at"),
            data: e.ref("excluded.data"),
          })),
        )
        .execute();
    }
  }

  async function lastIdOf(trx: Kysely<RecordTables>, collection: string): Promise<number> {
    const row = await trx
      .selectFrom("record_sequences")
      .select("last_id")
      .where("collection", "=", collection)
      .executeTakeFirst();
    return row?.last_id ?? 0;
  }
  const setLastId = (trx: Transaction<RecordTables>, collection: string, lastId: number) =>
    trx
      .insertInto("record_sequences")
      .values({ collection, last_id: lastId })
      .onConflict((conflict) => conflict.column("collection").doUpdateSet({ last_id: lastId }))
      .execute();

  /** Inserts items without an owner, at the next ids. @returns the records */
  async function add(
    trx: Transaction<RecordTables>,
    collection: string,
    items: readonly Readonly<Record<string, unknown>>[],
  ) {
    const lastId = await lastIdOf(trx, collection);
    const time = now();
    const own = { ownerId: 0, version: 1, createdAt: time, updatedAt: time };
    const records = items.map((data, index) => ({ ...own, id: lastId + 1 + index, data }));
    await insert(trx, collection, records);
    await setLastId(trx, collection, lastId + items.length);
    return records;
  }

  /**
   * Deletes what a collection has. @returns the records to insert: one that was edited in the export, and would have the
   * ETag of what clients have read, is a new version
   */
  async function inPlaceOfAll(trx: Transaction<RecordTables>, name: string, records: readonly StoredRecord[]) {
    const before = await trx.deleteFrom("records").where("collection", "=", name).returningAll().execute();
    const known = new Map(before.map(toRecord).map((record) => [record.id, record]));
    return records.map((record) => {
      const old = known.get(record.id);
      const isSameTag = old?.version === record.version && old.updatedAt === record.updatedAt;
      return isSameTag && !isDeepStrictEqual(old.data, record.data)
        ? { ...record, version: record.version + 1 }
        : record;
    });
  }

  async function isEmpty(at: Kysely<RecordTables>, collection: string): Promise<boolean> {
    const one = await at
      .selectFrom("records")
      .select("id")
      .where("collection", "=", collection)
      .limit(1)
      .executeTakeFirst();
    return one === undefined;
  }

  return {
    isEmpty: (collection) => isEmpty(db, collection),

    async read(name) {
      const rows = await db.selectFrom("records").selectAll().where("collection", "=", name).orderBy("id").execute();
      return { name, lastId: await lastIdOf(db, name), records: rows.map(toRecord) };
    },

    async fill(collection, items) {
      if (items.length === 0) return 0;
      return db.transaction().execute(async (trx) => {
        if (!(await isEmpty(trx, collection))) return 0;
        await add(trx, collection, items);
        return items.length;
      });
    },

    append: (collection, items, rules, event) =>
      transact(async (trx) => requireRules(trx, collection, await add(trx, collection, items), rules), event),

    async write(collections, mode, event) {
      const writeAll = async (trx: Transaction<RecordTables>) => {
        for (const { name, lastId, records, unique } of collections) {
          await insert(trx, name, mode === "replace" ? await inPlaceOfAll(trx, name, records) : records);
          const highest = records.reduce((max, { id }) => Math.max(max, id), lastId);
          await setLastId(trx, name, mode === "replace" ? highest : Math.max(highest, await lastIdOf(trx, name)));
          await requireRules(trx, name, records, { unique });
        }
      };
      await transact(writeAll, event);
    },
  };
}
