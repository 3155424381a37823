/**
 * Indexes of texts that may be long: a row of PostgreSQL's default index holds 2,700 bytes, one of SQLite's any number.
 */
import { sql, type Kysely } from "kysely";
import { isPostgres } from "./table-ids.ts";

interface Index {
  readonly index: string;
  readonly table: string;
  readonly columns: readonly [string, ...string[]];
}

/** An index on the columns. PostgreSQL's is for equality and ranges of the first one alone. */
export async function indexLongTexts<Tables>(db: Kysely<Tables>, { index, table, columns }: Index): Promise<void> {
  const made = db.schema.createIndex(index).on(table);
  await (isPostgres(db) ? made.using("spgist").column(columns[0]) : made.columns([...columns])).execute();
}

/** Replaces the constraint of a unique column. An insert with `on conflict` may not name the column then. */
export async function keepLongTextsUnique<Tables>(
  db: Kysely<Tables>,
  { table, column }: { readonly table: string; readonly column: string },
): Promise<void> {
  if (!isPostgres(db)) return;
  const name = sql.id(`${table}_${column}_key`);
  await sql`alter table ${sql.table(table)} drop constraint ${name},
    add constraint ${name} exclude using hash (${sql.ref(column)} with =)`.execute(db);
}
