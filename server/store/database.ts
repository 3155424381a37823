import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import {
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDatabase,
  type SqliteDialectConfig,
} from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { copyBeforeMigration } from "./backup/copy-before-migration.ts";
import { checkDatabase, damageIn, endedUncleanly, refuseNewer } from "./database-problem.ts";
import { createJournalSync, type JournalSync } from "./journal-sync.ts";
import type { WriteCount } from "./prepared-reads.ts";

/** Migrations by name; they run in the order of their names, each once. */
export type Migrations = Readonly<Record<string, Migration>>;

/** Whether a commit waits for the disk: else a power cut takes the last moments. A crash of the process takes nothing. */
export type Durability = "full" | "normal";

/**
 * Opens a database file, creating it and its folder if need be, and brings its tables up to date. Callers see Kysely
 * only: which database is behind it is decided here.
 * @param count goes up before each statement that may change what others read, a commit included
 * @param onCopied hears where the copy lies that was made before the tables of an older Hearth were changed
 * @throws DatabaseProblem for a file that is damaged, made by a newer Hearth, or cannot be copied first; else when it cannot be opened or a migration fails
 */
export async function openDatabase<Tables>(
  file: string,
  migrations: Migrations,
  count: WriteCount = { writes: 0 },
  durability: Durability = "full",
  onCopied: (copy: string) => void = () => undefined,
): Promise<Kysely<Tables>> {
  mkdirSync(dirname(file), { recursive: true });
  const wasCutOff = endedUncleanly(file);
  const sqlite = new Sqlite(file);
  let copy: string | undefined;
  try {
    sqlite.pragma("journal_mode = WAL");
    refuseNewer(sqlite, Object.keys(migrations));
    if (wasCutOff) checkDatabase(sqlite);
    copy = await copyBeforeMigration(sqlite, Object.keys(migrations));
    if (copy !== undefined) onCopied(copy);
  } catch (error) {
    sqlite.close();
    throw damageIn(file, error) ?? error;
  }
  sqlite.pragma("synchronous = normal"); // whoever writes waits for the disk, not the process
  sqlite.pragma("wal_autocheckpoint = 4000"); // pages, 16 MB: each time the journal is moved into the file, all wait for the disk
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("busy_timeout = 5000");
  const journal = createJournalSync(file);
  count.synced = durability === "full" ? () => journal.synced() : async () => undefined;
  const config = { database: keepingStatements(sqlite, count) };
  const createDriver = () => new WaitingDriver(config, sqlite, count, journal);
  const createAdapter = () => new TransactionalAdapter();
  const dialect = Object.assign(new SqliteDialect(config), { createDriver, createAdapter });
  const database = new Kysely<Tables>({ dialect });
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    await database.destroy();
    throw damageIn(file, error) ?? failedMigration(error, copy);
  }
  return database;
}

/** It keeps the code, by which a full disk is known. */
function failedMigration(cause: unknown, copy: string | undefined): Error {
  const { message = String(cause), code } = cause as Partial<NodeJS.ErrnoException>;
  const wayBack = copy === undefined ? "" : `; the database as it was before is kept as ${copy}`;
  return Object.assign(new Error(`a migration failed: ${message}${wayBack}`, { cause }), { code });
}

/** A migration that fails or is cut off leaves nothing behind: Kysely does not count on it, but SQLite undoes tables, too. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Whoever writes by Kysely is answered when the disk has it. */
class WaitingDriver extends SqliteDriver {
  readonly #wrap: (connection: DatabaseConnection) => DatabaseConnection;
  readonly #journal: JournalSync;
  constructor(config: SqliteDialectConfig, sqlite: Sqlite.Database, count: WriteCount, journal: JournalSync) {
    super(config);
    this.#journal = journal;
    this.#wrap = (connection) => ({
      streamQuery: (...query) => connection.streamQuery(...query),
      async executeQuery(query) {
        const before = count.writes;
        const result = await connection.executeQuery<never>(query);
        if (count.writes !== before && !sqlite.inTransaction) await count.synced?.();
        return result;
      },
    });
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#wrap(await super.acquireConnection());
  }
  override async destroy(): Promise<void> {
    await this.#journal.close();
    await super.destroy();
  }
}

/** Texts beyond this many are few: what differs from call to call is bound, not written out. */
const maxStatements = 500;

/**
 * Compiling a statement costs several times its execution, and Kysely compiles at every query: the latest are kept. Kysely
 * runs a statement at once after preparing it, so nothing comes between the count and the change.
 */
function keepingStatements(sqlite: Sqlite.Database, count: WriteCount): SqliteDatabase {
  const kept = new Map<string, Sqlite.Statement>();

  function compile(text: string): Sqlite.Statement {
    const statement = sqlite.prepare(text);
    const [oldest] = kept.keys();
    if (kept.size >= maxStatements && oldest !== undefined) kept.delete(oldest);
    kept.set(text, statement);
    return statement;
  }

  count.writer = sqlite;
  return {
    close() {
      count.writer = undefined;
      sqlite.close();
    },
    prepare(asked) {
      // A full disk has undone the transaction already: what it has said must not be lost over that.
      const text = asked === "rollback" && !sqlite.inTransaction ? "select 1" : asked;
      const known = kept.get(text);
      const statement = known && !known.busy ? known : compile(text);
      if (!statement.reader || !statement.readonly) count.writes++;
      return statement;
    },
  };
}
