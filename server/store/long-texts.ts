/** Indexes of texts that may be long: a row of PostgreSQL's usual index has room for 2,700 bytes, one of SQLite's for any. */
import { sql, type Kysely } from "kysely";
import { isPostgres } from "./table-ids.ts";

interface Column {
  readonly table: string;
  readonly column: string;
}

/** Replaces an index, which is for equality and ranges of the column alone then. */
export async function indexLongTexts<Tables>(
  db: Kysely<Tables>,
  { table, column, index }: Column & { readonly index: string },
): Promise<void> {
  if (!isPostgres(db)) return;
  await db.schema.dropIndex(index).execute();
  await db.schema.createIndex(index).on(table).using("spgist").column(column).execute();
}

/** Replaces the column's constraint. An insert with `on conflict` may not name the column then. */
export async function keepLongTextsUnique<Tables>(db: Kysely<Tables>, { table, column }: Column): Promise<void> {
  if (!isPostgres(db)) return;
  const name = sql.id(`${table}_${column}_key`);
  await sql`alter table ${sql.table(table)} drop constraint ${name},
    add constraint ${name} exclude using hash (${sql.ref(column)} with =)`.execute(db);
}
