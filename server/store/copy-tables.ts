/** Copies all rows of a file of SQLite into a database that has the same tables, and none of them. */
import { sql, type Kysely, type Transaction } from "kysely";
import { lastIdOf, setLastId } from "./table-ids.ts";

type AnyTables = Record<string, Record<string, unknown>>;

/** PostgreSQL allows 65,535 values in a statement. */
const valuesPerStatement = 60_000;
const rowsAtATime = 500;

/** Referenced tables come before those that refer to them. */
async function tablesInOrder(from: Kysely<AnyTables>): Promise<string[]> {
  const names = (await from.introspection.getTables()).map(({ name }) => name);
  const ordered = new Set<string>();
  async function add(name: string): Promise<void> {
    if (ordered.has(name)) return;
    const { rows } = await sql<{ table: string }>`select "table" from pragma_foreign_key_list(${name})`.execute(from);
    for (const { table } of rows) if (table !== name) await add(table);
    ordered.add(name);
  }
  for (const name of names) await add(name);
  return [...ordered];
}

async function copyTable(from: Kysely<AnyTables>, to: Transaction<AnyTables>, table: string): Promise<number> {
  const rowid = sql.ref<number>("rowid");
  let copied = 0;
  for (let last = 0; ;) {
    const rows: Record<string, unknown>[] = await from
      .selectFrom(table)
      .selectAll()
      .select(rowid.as("copied_rowid"))
      .where(rowid, ">", last)
      .orderBy(rowid)
      .limit(rowsAtATime)
      .execute();
    if (rows.length === 0) break;
    last = Number(rows.at(-1)?.["copied_rowid"]);
    for (const row of rows) delete row["copied_rowid"];
    const step = Math.floor(valuesPerStatement / Object.keys(rows[0] ?? {}).length);
    for (let at = 0; at < rows.length; at += step)
      await to
        .insertInto(table)
        .values(rows.slice(at, at + step))
        .execute();
    copied += rows.length;
  }
  await setLastId(to, table, await lastIdOf(from, table));
  return copied;
}

/**
 * @returns the number of copied rows by table
 * @throws Error that names a table which is not empty, or whose rows cannot be copied
 */
export async function copyTables<Tables>(
  source: Kysely<Tables>,
  target: Transaction<Tables>,
): Promise<ReadonlyMap<string, number>> {
  const from = source as unknown as Kysely<AnyTables>;
  const to = target as unknown as Transaction<AnyTables>;
  const counts = new Map<string, number>();
  const tables = await tablesInOrder(from);
  for (const table of tables) {
    const row = await to.selectFrom(table).select(sql.lit(1).as("one")).limit(1).executeTakeFirst();
    if (row) throw new Error(`its table ${table} already contains rows`);
  }
  for (const table of tables)
    try {
      counts.set(table, await copyTable(from, to, table));
    } catch (error) {
      throw new Error(`${table}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  return counts;
}
