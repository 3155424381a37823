/** Reads and writes whole collections: seeds, export, import. Each write is atomic. */
import { isDeepStrictEqual } from "node:util";
import type { Kysely, Transaction } from "kysely";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import {
  nobody,
  textIdOf,
  toRecord,
  toRow,
  type RecordsTable,
  type RecordTables,
  type StoredRecord,
} from "./record-tables.ts";
import type { RecordRules } from "./record-rules.ts";
import { requireNewIds, requireRules } from "./written-records.ts";
import type { EventDatabase } from "../event-writes.ts";

/** The number of a record that is told by the text of its id alone. */
export const unplaced = 0;

/** A complete collection. */
export interface CollectionContent {
  readonly name: string;
  /** The highest id ever used; the next one is higher. */
  readonly lastId: number;
  readonly records: readonly StoredRecord[];
}

export interface CollectionWrite extends CollectionContent {
  readonly unique: readonly string[];
  /** Returns a record as it is to be written, in the place of the one that has its id now. */
  readonly adjust?: (record: StoredRecord, stored: StoredRecord | undefined) => StoredRecord;
}

type Items = readonly Readonly<Record<string, unknown>>[];
type StoredContent = Pick<CollectionContent, "name" | "lastId"> & { readonly rows: readonly RecordsTable[] };

const contentOf = ({ rows, ...rest }: StoredContent): CollectionContent => ({ ...rest, records: rows.map(toRecord) });

/** The number of rows in one statement: the database's limit on parameters allows thousands. */
const rowsPerStatement = 500;

const highest = (numbers: readonly number[], lowest: number) =>
  numbers.reduce((max, number) => Math.max(max, number), lowest);

const recordsIn = (db: Kysely<RecordTables>, collection: string) =>
  db.selectFrom("records").where("collection", "=", collection);

const isEmptyIn = async (db: Kysely<RecordTables>, collection: string): Promise<boolean> =>
  (await recordsIn(db, collection).select("id").limit(1).executeTakeFirst()) === undefined;

async function sequenceOf(db: Kysely<RecordTables>, collection: string) {
  const row = await db
    .selectFrom("record_sequences")
    .select(["last_id as lastId", "last_version as lastVersion"])
    .where("collection", "=", collection)
    .executeTakeFirst();
  return row ?? { lastId: 0, lastVersion: 0 };
}

async function storedIn(db: Kysely<RecordTables>, name: string): Promise<StoredContent> {
  const rows = await recordsIn(db, name).selectAll().orderBy("id").execute();
  return { name, lastId: (await sequenceOf(db, name)).lastId, rows };
}

async function upsert(trx: Transaction<RecordTables>, name: string, records: readonly StoredRecord[]) {
  for (let from = 0; from < records.length; from += rowsPerStatement) {
    const rows = records.slice(from, from + rowsPerStatement).map((record) => toRow(name, record));
    await trx
      .insertInto("records")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["collection", "id"]).doUpdateSet((e) => ({
          public_id: e.ref("excluded.public_id"),
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

async function setSequence(trx: Transaction<RecordTables>, collection: string, lastId: number, lastVersion: number) {
  const sequence = { last_id: lastId, last_version: lastVersion };
  await trx
    .insertInto("record_sequences")
    .values({ collection, ...sequence })
    .onConflict((conflict) => conflict.column("collection").doUpdateSet(sequence))
    .execute();
}

/** The records under their numbers: where ids are texts, the number of the record with the same id, or a new one. */
function placedAmong(stored: ReadonlyMap<number, StoredRecord>, records: readonly StoredRecord[], lastId: number) {
  const numbers = new Map([...stored.values()].map(({ id, data }) => [textIdOf(data), id]));
  let last = highest([...stored.keys()], lastId);
  return records.map((record) =>
    record.id === unplaced ? { ...record, id: numbers.get(textIdOf(record.data)) ?? ++last } : record,
  );
}

/**
 * Replaces the collection. Its records get the versions of the document. A record that was edited in the document
 * without a new version gets one, because clients have read another text with that ETag.
 */
async function replaceAll(trx: Transaction<RecordTables>, { name, lastId, records, adjust }: CollectionWrite) {
  const { lastVersion } = await sequenceOf(trx, name);
  const rows = await trx.deleteFrom("records").where("collection", "=", name).returningAll().execute();
  const stored = new Map(rows.map((row) => [row.id, toRecord(row)]));
  const placed = placedAmong(stored, records, lastId);
  const written = placed.map((sent) => {
    const old = stored.get(sent.id);
    const record = adjust?.(sent, old) ?? sent;
    const hasOldTag = old?.version === record.version && old.updatedAt === record.updatedAt;
    return hasOldTag && !isDeepStrictEqual(old.data, record.data) ? { ...record, version: record.version + 1 } : record;
  });
  await upsert(trx, name, written);
  const ids = written.map(({ id }) => id);
  const versions = rows.map(({ version }) => version);
  await setSequence(trx, name, highest(ids, lastId), highest(versions, lastVersion));
  return written;
}

/** A record that exists, or did, gets a version that it has never had: the ids of deleted records are not known. */
async function merge(trx: Transaction<RecordTables>, { name, lastId, records, adjust }: CollectionWrite) {
  const sequence = await sequenceOf(trx, name);
  const rows = await recordsIn(trx, name).selectAll().execute();
  const stored = new Map(rows.map((row) => [row.id, toRecord(row)]));
  const placed = placedAmong(stored, records, Math.max(lastId, sequence.lastId));
  const written = placed.map((sent) => {
    const old = stored.get(sent.id);
    const record = adjust?.(sent, old) ?? sent;
    return { ...record, version: Math.max(record.version, (old?.version ?? sequence.lastVersion) + 1) };
  });
  await upsert(trx, name, written);
  const ids = written.map(({ id }) => id);
  await setSequence(trx, name, highest(ids, Math.max(lastId, sequence.lastId)), sequence.lastVersion);
  return written;
}

export class RecordTransfer {
  readonly #db: Kysely<RecordTables>;
  readonly #transact: EventDatabase<RecordTables>["transact"];
  readonly #now: () => number;

  /** @param now Unix time in ms */
  constructor({ db, transact }: Pick<EventDatabase<RecordTables>, "db" | "transact">, now: () => number) {
    this.#db = db;
    this.#transact = transact;
    this.#now = now;
  }

  async isEmpty(collection: string): Promise<boolean> {
    return isEmptyIn(this.#db, collection);
  }

  /** In the order of ids. */
  async read(collection: string): Promise<CollectionContent> {
    return contentOf(await storedIn(this.#db, collection));
  }

  /** Several, all at one moment. */
  async readAll(collections: readonly string[]): Promise<CollectionContent[]> {
    const stored = await this.#db.transaction().execute(async (trx) => {
      const all: StoredContent[] = [];
      for (const name of collections) all.push(await storedIn(trx, name));
      return all;
    });
    return stored.map(contentOf); // parsed only now, because writes have waited
  }

  /** Inserts items without an owner, if the collection is empty. Returns their number. */
  async fill(collection: string, items: Items): Promise<number> {
    if (items.length === 0) return 0;
    return this.#db.transaction().execute(async (trx) => {
      if (!(await isEmptyIn(trx, collection))) return 0;
      await this.#add(trx, collection, items);
      return items.length;
    });
  }

  /**
   * Adds items without an owner. The event is stored in the same transaction.
   * @throws TransferConflict when one of them breaks a rule; nothing is changed then
   */
  async append(collection: string, items: Items, rules: RecordRules, event: BusMessage): Promise<void> {
    await this.#transact(
      async (trx) => requireRules(trx, collection, await this.#add(trx, collection, items), rules),
      event,
    );
  }

  /**
   * `replace`: the collections get exactly these records, with their versions. `merge`: records with the same id are
   * overwritten and get a version higher than before; new ones get a version higher than those of deleted records, so
   * that no If-Match and no undo matches by accident. The event is stored in the same transaction.
   * @throws TransferConflict when one of the records has the unique value of another; nothing is changed then
   */
  async write(collections: readonly CollectionWrite[], mode: "replace" | "merge", event: BusMessage): Promise<void> {
    const write = mode === "replace" ? replaceAll : merge;
    await this.#transact(async (trx) => {
      for (const content of collections) {
        const written = await write(trx, content);
        await requireRules(trx, content.name, written, { unique: content.unique });
      }
    }, event);
  }

  /** Inserts items without an owner, at the next ids, and returns their records. */
  async #add(trx: Transaction<RecordTables>, collection: string, items: Items): Promise<StoredRecord[]> {
    const { lastId, lastVersion } = await sequenceOf(trx, collection);
    const time = this.#now();
    const own = { ownerId: nobody, version: 1, createdAt: time, updatedAt: time };
    const records = items.map((data, index) => ({ ...own, id: lastId + 1 + index, data }));
    await requireNewIds(trx, collection, records);
    await upsert(trx, collection, records);
    await setSequence(trx, collection, lastId + items.length, lastVersion);
    return records;
  }
}
