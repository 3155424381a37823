/** Reads the definitions in a database file: tables, indexes, triggers and views. */
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { Migrations } from "../database.ts";
import { createDialect } from "./dialect.ts";
import { Sqlite } from "../native-sqlite.ts";

/** More than any version of Hearth has. */
const most = 1_000;

interface Row {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** Versions of SQLite differ in how they quote and indent what a migration has changed. */
const plain = (sql: string | null) => sql?.replaceAll(/[\s"`[\]]+/g, "") ?? "";

/** The texts by kind and name, such as `table users`. Nothing of the database is run. @throws Error for too many */
export function schemaEntries(sqlite: Sqlite): Map<string, string> {
  const rows = sqlite.prepare<Row>(`select type, name, sql from sqlite_master limit ${String(most + 1)}`).all();
  if (rows.length > most) throw new Error(`more than ${String(most)} tables and indexes are in it`);
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, plain(sql)]));
}

/** The entries of an empty database after these migrations. */
export async function entriesAfter(migrations: Migrations): Promise<Map<string, string>> {
  const sqlite = new Sqlite(":memory:");
  const writer = { sqlite, writes: 0, synced: async () => undefined };
  const db = new Kysely({ dialect: createDialect(writer, async () => undefined) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw new Error("these migrations make no database", { cause: error });
    return schemaEntries(sqlite);
  } finally {
    await db.destroy();
  }
}
