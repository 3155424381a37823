/** Reads databases without any change on the disk. */
import { pathToFileURL } from "node:url";
import { Kysely, SqliteDialect } from "kysely";
import { checkDatabase, damageIn, endedUncleanly, ranMigrations, refuseOthers } from "../database-problem.ts";
import { Sqlite } from "../native-sqlite.ts";

/** @param inUse a running Hearth has it open: its journal and shared memory exist, and are read, too */
function openToRead(file: string, inUse: boolean): Sqlite {
  // By default, SQLite would create a journal for an unused database.
  const how = inUse ? "mode=ro" : endedUncleanly(file) ? "mode=ro&readonly_shm=1" : "immutable=1";
  return new Sqlite(new URL(`${pathToFileURL(file).href}?${how}`), { readOnly: true });
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
