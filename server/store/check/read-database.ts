/**
 * Reads databases without any change on the disk. It needs a process of its own that has not opened a database before.
 */
import { pathToFileURL } from "node:url";
import Sqlite from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { checkDatabase, damageIn, endedUncleanly, ranMigrations, refuseOthers } from "../database-problem.ts";

/** @param inUse a running Hearth has it open: its journal and shared memory exist, and are read, too */
function openToRead(file: string, inUse: boolean): Sqlite.Database {
  process.env["SQLITE_USE_URI"] = "1"; // takes effect with the first database of a process
  // By default, SQLite would create a journal for an unused database.
  const how = inUse ? "mode=ro" : endedUncleanly(file) ? "mode=ro&readonly_shm=1" : "immutable=1";
  return new Sqlite(`${pathToFileURL(file).href}?${how}`, { readonly: true });
}

/**
 * Reads all of a database.
 * @param migrations names of the known migrations; none for a database without
 * @returns the number of migrations that a start would run
 * @throws DatabaseProblem; SQLite's error when it cannot be opened
 */
export function inspectDatabase(file: string, inUse: boolean, migrations?: readonly string[]): number {
  const sqlite = openToRead(file, inUse);
  try {
    if (migrations) refuseOthers(sqlite, migrations, file);
    checkDatabase(sqlite, "quick_check", file);
    return migrations ? migrations.length - ranMigrations(sqlite).length : 0;
  } catch (error) {
    throw damageIn(file, error) ?? error;
  } finally {
    sqlite.close();
  }
}

/** Runs a query. @throws SQLite's error */
export async function queryDatabase<Tables, Result>(
  file: string,
  inUse: boolean,
  query: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openToRead(file, inUse) }) });
  try {
    return await query(db);
  } finally {
    await db.destroy();
  }
}
