/**
 * Looks into databases so that nothing on the disk changes, neither in them nor beside them: for a process of its own, which has
 * opened no database otherwise.
 */
import { pathToFileURL } from "node:url";
import Sqlite from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { checkDatabase, damageIn, endedUncleanly, ranMigrations, refuseNewer } from "../database-problem.ts";

/** @param inUse a running Hearth has it open: its journal and what it shares with readers are there, and are read, too */
function openToRead(file: string, inUse: boolean): Sqlite.Database {
  process.env["SQLITE_USE_URI"] = "1"; // counts when the first database of a process is opened
  // By itself SQLite would make a journal beside a database that nobody has open.
  const how = inUse ? "mode=ro" : endedUncleanly(file) ? "mode=ro&readonly_shm=1" : "immutable=1";
  return new Sqlite(`${pathToFileURL(file).href}?${how}`, { readonly: true });
}

/**
 * Reads all of a database.
 * @param migrations names of those that are known here; none for a database without
 * @returns how many of them a start has still to run
 * @throws DatabaseProblem; the error of SQLite when it cannot be opened
 */
export function inspectDatabase(file: string, inUse: boolean, migrations?: readonly string[]): number {
  const sqlite = openToRead(file, inUse);
  try {
    if (migrations) refuseNewer(sqlite, migrations, file);
    checkDatabase(sqlite, "quick_check", file);
    return migrations ? migrations.length - ranMigrations(sqlite).length : 0;
  } catch (error) {
    throw damageIn(file, error) ?? error;
  } finally {
    sqlite.close();
  }
}

/** Asks a database. @throws the error of SQLite */
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
