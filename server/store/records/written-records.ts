/** Checks the rules of many records that were written at once. Other records are not checked. */
import { sql, type Transaction } from "kysely";
import { fieldValue } from "./record-query.ts";
import { DanglingError, DuplicateError, referencesOf, type RecordRules } from "./record-rules.ts";
import type { RecordTables, StoredRecord } from "./record-tables.ts";

/** One of the records that were written breaks a rule. */
export class TransferConflict extends Error {
  override readonly name = "TransferConflict";
  readonly collection: string;
  readonly id: number;
  /** Its index among the records that were written. */
  readonly position: number;
  readonly broken: DuplicateError | DanglingError;
  constructor(collection: string, id: number, position: number, broken: DuplicateError | DanglingError) {
    super(`${collection}/${String(id)}: ${broken.message}`);
    this.collection = collection;
    this.id = id;
    this.position = position;
    this.broken = broken;
  }
}

const idsPerStatement = 500;

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
      const position = positions.get(id);
      if (position !== undefined) throw new TransferConflict(collection, id, position, new DuplicateError(field));
    }
  }
  const existing = new Map<string, ReadonlySet<unknown>>();
  for (const { to } of rules.relations ?? []) existing.set(to, await existingOf(trx, to, written, rules));
  for (const [position, { id, data }] of written.entries())
    for (const { field, to, target, id: referred } of referencesOf(data, rules))
      if (existing.get(to)?.has(referred) !== true)
        throw new TransferConflict(collection, id, position, new DanglingError(field, target));
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
  const existing = new Set<unknown>();
  for (let from = 0; from < ids.length; from += idsPerStatement) {
    const some = ids.slice(from, from + idsPerStatement);
    const found = trx.selectFrom("records").select("id").where("collection", "=", collection).where("id", "in", some);
    for (const { id } of await found.execute()) existing.add(id);
  }
  return existing;
}
