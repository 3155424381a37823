/**
 * Reads facts about a table that each engine stores differently: its columns, and the highest id that it has assigned.
 */
import { PostgresAdapter, sql, type Kysely, type Transaction } from "kysely";

export const isPostgres = <Tables>(db: Kysely<Tables>) => db.getExecutor().adapter instanceof PostgresAdapter;
const sequenceOf = (table: string) => `${table}_id_seq`;

/** No columns for a missing table. */
export async function tableColumns<Tables>(trx: Transaction<Tables>, table: string): Promise<Set<string>> {
  const found = isPostgres(trx)
    ? sql<{ name: string }>`select column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name = ${table}`
    : sql<{ name: string }>`select name from pragma_table_info(${table})`;
  const { rows } = await found.execute(trx);
  return new Set(rows.map(({ name }) => name));
}

/** The highest id that a table has used; undefined for none, or if the database does not count ids. */
export async function lastIdOf<Tables>(db: Kysely<Tables>, table: string): Promise<number | undefined> {
  if (isPostgres(db)) return lastIdOfSequence(db, table);
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db);
  return rows[0]?.seq;
}

/**
 * Sets the last id, so that the next one is higher than it and than those of the rows. Does nothing if the database
 * does not count ids.
 */
export async function setLastId<Tables>(
  trx: Transaction<Tables>,
  table: string,
  lastId: number | undefined,
): Promise<void> {
  if (isPostgres(trx)) return restartSequence(trx, table, lastId ?? 0);
  await sql`delete from sqlite_sequence where name = ${table}`.execute(trx);
  if (lastId !== undefined)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${lastId})`.execute(trx);
}

/** A sequence ignores ids that were inserted with their rows. */
async function lastIdOfSequence<Tables>(db: Kysely<Tables>, table: string): Promise<number | undefined> {
  const found = sql<{ seq: number | null }>`select last_value as seq from pg_sequences
    where schemaname = current_schema() and sequencename = ${sequenceOf(table)}`;
  const [sequence] = (await found.execute(db)).rows;
  if (!sequence) return undefined;
  return Math.max(sequence.seq ?? 0, await highestId(db, table)) || undefined;
}

async function highestId<Tables>(db: Kysely<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from ${sql.table(table)}`.execute(db);
  return rows[0]?.id ?? 0;
}

async function restartSequence<Tables>(trx: Transaction<Tables>, table: string, lastId: number): Promise<void> {
  const name = sequenceOf(table);
  const counted = sql`select 1 from pg_sequences where schemaname = current_schema() and sequencename = ${name}`;
  if ((await counted.execute(trx)).rows.length === 0) return;
  const next = sql.lit(Math.max(lastId, await highestId(trx, table)) + 1);
  await sql`alter sequence ${sql.id(name)} restart with ${next}`.execute(trx);
}
