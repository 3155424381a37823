/** The reason why a database cannot be used, for the person who starts Hearth. */
import { statSync } from "node:fs";
import type Sqlite from "better-sqlite3";

/** The message is complete: it names the file and what to do. */
export class DatabaseProblem extends Error {
  override readonly name = "DatabaseProblem";
  readonly code:
    "database_damaged" | "database_newer" | "database_not_copied" | "database_unusable" | "database_foreign";
  constructor(code: DatabaseProblem["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const damaged = (file: string, what: string, cause?: unknown) =>
  new DatabaseProblem(
    "database_damaged",
    `${file} is damaged (${what}), by a disk that fails or a program that wrote into it: stop Hearth and put a copy of it back, or move it away with ${file}-wal to begin with an empty one`,
    { cause },
  );

/**
 * Whether the database failed, for any reason; also for an error that lost its class on the way from another thread.
 */
export const isDatabaseError = (error: unknown): boolean =>
  String((error as { code?: unknown }).code).startsWith("SQLITE_");

/** Damage reported by SQLite; undefined for any other error. */
export function damageIn(file: string, error: unknown): DatabaseProblem | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(code)) ? damaged(file, String(message), error) : undefined;
}

/**
 * Reads all of a database; `integrity_check` also compares its indexes with its tables. `file`: its name, when SQLite
 * has another one. @throws DatabaseProblem
 */
export function checkDatabase(
  sqlite: Sqlite.Database,
  check: "quick_check" | "integrity_check" = "quick_check",
  file = sqlite.name,
): void {
  try {
    const first = String(sqlite.pragma(`${check}(1)`, { simple: true }));
    if (first !== "ok") throw damaged(file, first.replaceAll("\n", " "));
  } catch (error) {
    throw damageIn(file, error) ?? error;
  }
}

/** Whether the last process that used it ended without closing it, so that its journal remains. */
export const endedUncleanly = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** The names of the executed migrations, in order; none in an empty database. */
export function ranMigrations(sqlite: Sqlite.Database): string[] {
  const made = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get();
  if (made === undefined) return [];
  return sqlite.prepare<[], string>("select name from kysely_migration order by name").pluck().all();
}

/** @param wayOut what to do instead of starting the newer one */
export const newerProblem = (database: string, migration: string, wayOut: string): DatabaseProblem =>
  new DatabaseProblem(
    "database_newer",
    `${database} was made by a newer Hearth (it has ${migration}, which this one does not know): start that one, or ${wayOut}`,
  );

/** @throws DatabaseProblem for an executed migration that is unknown here */
export function refuseNewer(sqlite: Sqlite.Database, known: readonly string[], file = sqlite.name): void {
  const unknown = ranMigrations(sqlite).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw newerProblem(file, unknown, "choose another folder with --data-dir");
}
