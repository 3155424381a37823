import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely } from "kysely";
import { copyBeforeMigration } from "../backup/copy-before-migration.ts";
import type { Database, Durability, Migrations } from "../database.ts";
import { checkDatabase, damageIn, endedUncleanly, ranMigrations, refuseOthers } from "../database-problem.ts";
import { createTables } from "./create-tables.ts";
import { createDialect } from "./dialect.ts";
import { createGroupedWrites } from "./grouped-writes.ts";
import { createJournalSync } from "./journal-sync.ts";
import { addOwnFunctions } from "./own-functions.ts";
import { openPreparedReads } from "./prepared-reads.ts";
import type { WriteConnection } from "./write-connection.ts";
import { Sqlite } from "../native-sqlite.ts";

interface Options {
  readonly file: string;
  readonly migrations: Migrations;
  readonly durability?: Durability;
  /** Called with the path of the copy that was made before the tables of an older Hearth were changed. */
  readonly onCopied?: (copy: string) => void;
}

/**
 * Opens a database file, creates it and its folder if needed, and migrates it.
 * @throws DatabaseProblem for a file that is damaged, made by another Hearth, or cannot be copied first; another error
 * when it cannot be opened or a migration fails
 */
export async function openDatabase<Tables>({
  file,
  migrations,
  durability = "full",
  onCopied,
}: Options): Promise<Database<Tables>> {
  mkdirSync(dirname(file), { recursive: true });
  const wasCutOff = endedUncleanly(file);
  const sqlite = new Sqlite(file);
  let copy: string | undefined;
  try {
    sqlite.useJournal(durability);
    refuseOthers(sqlite, Object.keys(migrations));
    if (wasCutOff) checkDatabase(sqlite);
    copy = await copyBeforeMigration(sqlite, Object.keys(migrations));
    if (copy !== undefined) onCopied?.(copy);
  } catch (error) {
    sqlite.close();
    throw damageIn(file, error) ?? error;
  }
  sqlite.enlargeCache();
  sqlite.pragma("temp_store = memory"); // pages as they were at a savepoint: most writes have one, and copy several
  sqlite.pragma("wal_autocheckpoint = 4000"); // pages, 16 MB: moving the journal into the file delays everything
  sqlite.pragma("foreign_keys = ON");
  addOwnFunctions(sqlite);
  const journal = createJournalSync(file);
  const synced = durability === "full" ? () => journal.synced() : async () => undefined;
  const writer: WriteConnection = { sqlite, writes: 0, synced };
  const db = new Kysely<Tables>({ dialect: createDialect(writer, () => journal.close()) });
  try {
    if (ranMigrations(sqlite).length === 0) createTables(sqlite);
    await migrate(db, sqlite, migrations);
  } catch (error) {
    await db.destroy();
    throw damageIn(file, error) ?? failedMigration(error, copy);
  }
  const reads = openPreparedReads(writer);
  return {
    db,
    reads,
    writes: createGroupedWrites(db, writer),
    async close() {
      reads.close(); // the last connection to close removes the journal, and a read-only one cannot
      await db.destroy();
    },
  };
}

/** Runs the missing migrations. Most starts have none, and do not load the migrator. */
async function migrate<Tables>(db: Kysely<Tables>, sqlite: Sqlite, migrations: Migrations): Promise<void> {
  const ran = ranMigrations(sqlite);
  if (Object.keys(migrations).every((name) => ran.includes(name))) return;
  const { Migrator } = await import("kysely/migration");
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error as Error;
}

/** Keeps the error code, which identifies a full disk. */
function failedMigration(cause: unknown, copy: string | undefined): Error {
  const { message = String(cause), code } = cause as Partial<NodeJS.ErrnoException>;
  const hint = copy === undefined ? "" : `; the database as it was before is kept as ${copy}`;
  return Object.assign(new Error(`a migration failed: ${message}${hint}`, { cause }), { code });
}
