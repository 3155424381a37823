/** Reads and writes whole collections: seeds, export, import. Each write is atomic. */
import { isDeepStrictEqual } from "node:util";
import type { Kysely, Transaction } from "kysely";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import { toRecord, type RecordsTable, type RecordTables, type StoredRecord } from "./record-tables.ts";
import type { RecordRules } from "./record-rules.ts";
import { requireRules } from "./written-records.ts";
import type { EventDatabase } from "../event-writes.ts";

/** A complete collection. */
export interface CollectionContent {
  readonly name: string;
  /** The highest id ever used; the next one is higher. */
  readonly lastId: number;
  readonly records: readonly StoredRecord[];
}

/** What a collection gets. */
export interface CollectionWrite extends CollectionContent {
  readonly unique: readonly string[];
  /** The record as it must be beside the one that has its id then. */
  readonly beside?: (record: StoredRecord, there: StoredRecord | undefined) => StoredRecord;
}

export interface RecordTransfer {
  /** In the order of ids. */
  read(collection: string): Promise<CollectionContent>;
  /** Several, all at one moment. */
  readAll(collections: readonly string[]): Promise<CollectionContent[]>;
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
   * overwritten and get a version higher than before; one that is not there gets one higher than those that were deleted.
   * So no If-Match and no undo fits by accident. The event is stored in the same transaction.
   * @throws TransferConflict when one of the records has the unique value of another; nothing is changed then
   */
  write(collections: readonly CollectionWrite[], mode: "replace" | "merge", event: BusMessage): Promise<void>;
}

type StoredContent = Pick<CollectionContent, "name" | "lastId"> & { readonly rows: readonly RecordsTable[] };

const contentOf = ({ rows, ...rest }: StoredContent): CollectionContent => ({ ...rest, records: rows.map(toRecord) });

/** The number of rows in one statement: the database's limit on parameters allows thousands. */
const rowsPerStatement = 500;

const highestId = (records: readonly StoredRecord[], lastId: number) =>
  records.reduce((max, { id }) => Math.max(max, id), lastId);

type Deps = Pick<EventDatabase<RecordTables>, "db" | "transact">;

/** @param now Unix time in ms */
export function createRecordTransfer({ db, transact }: Deps, now: () => number): RecordTransfer {
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
            version: e.ref("excluded.version"),
            created_at: e.ref("excluded.created_at"),
            updated_at: e.ref("excluded.updated_at"),
            data: e.ref("excluded.data"),
          })),
        )
        .execute();
    }
  }

  async function sequenceOf(trx: Kysely<RecordTables>, collection: string) {
    const row = await trx
      .selectFrom("record_sequences")
      .select(["last_id as lastId", "last_version as lastVersion"])
      .where("collection", "=", collection)
      .executeTakeFirst();
    return row ?? { lastId: 0, lastVersion: 0 };
  }
  const setSequence = (trx: Transaction<RecordTables>, collection: string, lastId: number, lastVersion: number) =>
    trx
      .insertInto("record_sequences")
      .values({ collection, last_id: lastId, last_version: lastVersion })
      .onConflict((conflict) =>
        conflict.column("collection").doUpdateSet({ last_id: lastId, last_version: lastVersion }),
      )
      .execute();

  /** Inserts items without an owner, at the next ids. @returns the records */
  async function add(
    trx: Transaction<RecordTables>,
    collection: string,
    items: readonly Readonly<Record<string, unknown>>[],
  ) {
    const { lastId, lastVersion } = await sequenceOf(trx, collection);
    const time = now();
    const own = { ownerId: 0, version: 1, createdAt: time, updatedAt: time };
    const records = items.map((data, index) => ({ ...own, id: lastId + 1 + index, data }));
    await insert(trx, collection, records);
    await setSequence(trx, collection, lastId + items.length, lastVersion);
    return records;
  }

  /**
   * Deletes what the collection has. Its records get the versions of the document; one that was edited in it, and would
   * have the ETag of what clients have read, is a new version.
   */
  async function writeAll(trx: Transaction<RecordTables>, { name, lastId, records, beside }: CollectionWrite) {
    const { lastVersion } = await sequenceOf(trx, name);
    const before = await trx.deleteFrom("records").where("collection", "=", name).returningAll().execute();
    const known = new Map(before.map(toRecord).map((record) => [record.id, record]));
    const written = records.map((given) => {
      const old = known.get(given.id);
      const record = beside?.(given, old) ?? given;
      const isSameTag = old?.version === record.version && old.updatedAt === record.updatedAt;
      return isSameTag && !isDeepStrictEqual(old.data, record.data)
        ? { ...record, version: record.version + 1 }
        : record;
    });
    await insert(trx, name, written);
    const gone = before.reduce((max, { version }) => Math.max(max, version), lastVersion);
    await setSequence(trx, name, highestId(records, lastId), gone);
  }

  /** A record that is there, or was, gets a version that it has never had; which ids were deleted is not known. */
  async function writeBeside(trx: Transaction<RecordTables>, { name, lastId, records, beside }: CollectionWrite) {
    const sequence = await sequenceOf(trx, name);
    const there = await trx.selectFrom("records").selectAll().where("collection", "=", name).execute();
    const known = new Map(there.map(toRecord).map((record) => [record.id, record]));
    const written = records.map((given) => {
      const old = known.get(given.id);
      const record = beside?.(given, old) ?? given;
      return { ...record, version: Math.max(record.version, (old?.version ?? sequence.lastVersion) + 1) };
    });
    await insert(trx, name, written);
    await setSequence(trx, name, highestId(records, Math.max(lastId, sequence.lastId)), sequence.lastVersion);
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

  async function storedIn(at: Kysely<RecordTables>, name: string): Promise<StoredContent> {
    const rows = await at.selectFrom("records").selectAll().where("collection", "=", name).orderBy("id").execute();
    return { name, lastId: (await sequenceOf(at, name)).lastId, rows };
  }

  return {
    isEmpty: (collection) => isEmpty(db, collection),

    read: async (name) => contentOf(await storedIn(db, name)),

    async readAll(names) {
      const stored = await db.transaction().execute(async (trx) => {
        const all: StoredContent[] = [];
        for (const name of names) all.push(await storedIn(trx, name));
        return all;
      });
      return stored.map(contentOf); // parsed only now, because writes have waited
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
      const write = mode === "replace" ? writeAll : writeBeside;
      await transact(async (trx) => {
        for (const content of collections) {
          await write(trx, content);
          await requireRules(trx, content.name, content.records, { unique: content.unique });
        }
      }, event);
    },
  };
}
