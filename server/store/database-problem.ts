/** What keeps a database from being used, in words for the one who starts Hearth. */
import { statSync } from "node:fs";
import type Sqlite from "better-sqlite3";

/** Its message stands by itself: it names the file and tells the way on. */
export class DatabaseProblem extends Error {
  override readonly name = "DatabaseProblem";
  readonly code: "database_damaged" | "database_newer" | "database_not_copied";
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

/** Whether the database has failed, for whatever reason: also one whose class was lost on its way from another thread. */
export const isDatabaseError = (error: unknown): boolean =>
  String((error as { code?: unknown }).code).startsWith("SQLITE_");

/** Damage as SQLite tells it; undefined for any other error. */
export function damageIn(file: string, error: unknown): DatabaseProblem | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(code)) ? damaged(file, String(message), error) : undefined;
}

/**
 * Reads all of a database; `integrity_check` compares its indexes with its tables, too. `file`: its name where SQLite knows
 * another one. @throws DatabaseProblem
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

/** Whether the process that last had it ended without closing it: its journal is still there. */
export const endedUncleanly = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** The names of the migrations that have run, in their order; none in an empty database. */
export function ranMigrations(sqlite: Sqlite.Database): string[] {
  const made = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get();
  if (made === undefined) return [];
  return sqlite.prepare<[], string>("select name from kysely_migration order by name").pluck().all();
}

/** @throws DatabaseProblem where a migration has run that is not known here */
export function refuseNewer(sqlite: Sqlite.Database, known: readonly string[], file = sqlite.name): void {
  const unknown = ranMigrations(sqlite).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new DatabaseProblem(
    "database_newer",
    `${file} was made by a newer Hearth (it has ${unknown}, which this one does not know): start that one, or choose another folder with --data-dir`,
  );
}
