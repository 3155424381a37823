/** Checks the rules of many records that were written at once. Other records are not checked. */
import { sql, type Transaction } from "kysely";
import type { ItemId } from "../../contract/app/item-ids.ts";
import { fieldValue } from "./record-query.ts";
import { DanglingError, DuplicateError, idColumn, referencesOf, type RecordRules } from "./record-rules.ts";
import { publicIdOf, textIdOf, type RecordTables, type StoredRecord } from "./record-tables.ts";

/** One of the records that were written breaks a rule. */
export class TransferConflict extends Error {
  override readonly name = "TransferConflict";
  readonly collection: string;
  readonly id: ItemId;
  /** Its index among the records that were written. */
  readonly position: number;
  readonly broken: DuplicateError | DanglingError;
  constructor(collection: string, record: StoredRecord, position: number, broken: DuplicateError | DanglingError) {
    const id = publicIdOf(record);
    super(`${collection}/${String(id)}: ${broken.message}`);
    this.collection = collection;
    this.id = id;
    this.position = position;
    this.broken = broken;
  }
}

const idsPerStatement = 500;

/** @throws TransferConflict when one of the records to be written has the text of another as its id */
export async function requireNewIds(
  trx: Transaction<RecordTables>,
  collection: string,
  records: readonly StoredRecord[],
): Promise<void> {
  const ids = records.flatMap(({ data }) => textIdOf(data) ?? []);
  const taken = await existingIds(trx, collection, ids);
  for (const [position, record] of records.entries()) {
    const own = textIdOf(record.data);
    if (own === undefined) continue;
    if (taken.has(own)) throw new TransferConflict(collection, record, position, new DuplicateError("id"));
    taken.add(own);
  }
}

/** @throws TransferConflict */
export async function requireRules(
  trx: Transaction<RecordTables>,
  collection: string,
  written: readonly StoredRecord[],
  rules: RecordRules,
): Promise<void> {
  const positions = new Map(written.map(({ id }, position) => [id, position]));
  for (const field of rules.unique ?? []) {
    const records = trx.selectFrom("records").where("collection", "=", collection);
    const shared = records
      .where(sql<boolean>`${fieldValue(field)} is not null`)
      .select(sql`${fieldValue(field)}`.as("value"))
      .groupBy(fieldValue(field))
      .having((e) => e.fn.countAll(), ">", 1);
    const twice = await records.select("id").where(fieldValue(field), "in", shared).orderBy("id", "desc").execute();
    for (const { id } of twice) {
      const position = positions.get(id) ?? -1;
      const record = written[position];
      if (record) throw new TransferConflict(collection, record, position, new DuplicateError(field));
    }
  }
  const existing = new Map<string, ReadonlySet<unknown>>();
  for (const { to } of rules.relations ?? []) existing.set(to, await existingOf(trx, to, written, rules));
  for (const [position, record] of written.entries())
    for (const { field, to, target, id: referred } of referencesOf(record.data, rules))
      if (existing.get(to)?.has(referred) !== true)
        throw new TransferConflict(collection, record, position, new DanglingError(field, target));
}

/** The ids of the records of a collection to which others refer. */
async function existingOf(
  trx: Transaction<RecordTables>,
  collection: string,
  referring: readonly StoredRecord[],
  rules: RecordRules,
): Promise<ReadonlySet<unknown>> {
  const references = referring.flatMap(({ data }) => referencesOf(data, rules));
  const ids = [...new Set(references.flatMap(({ to, id }) => (to === collection && id !== undefined ? [id] : [])))];
  return existingIds(trx, collection, ids);
}

async function existingIds(trx: Transaction<RecordTables>, collection: string, ids: readonly ItemId[]) {
  const existing = new Set<unknown>();
  for (let from = 0; from < ids.length; from += idsPerStatement) {
    const some = ids.slice(from, from + idsPerStatement);
    const column = idColumn(some[0] ?? 0);
    const found = trx
      .selectFrom("records")
      .where("collection", "=", collection)
      .where(column, "in", some as never[]);
    for (const { id } of await found.select(`${column} as id`).execute()) existing.add(id);
  }
  return existing;
}
