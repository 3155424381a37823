/** The reason why a database cannot be used, for the person who starts Hearth. */
import { statSync } from "node:fs";
import type { Sqlite } from "./native-sqlite.ts";

/** The message is complete: it names the file and what to do. */
export class DatabaseProblem extends Error {
  override readonly name = "DatabaseProblem";
  readonly code:
    | "database_damaged"
    | "database_newer"
    | "database_too_old"
    | "database_not_copied"
    | "database_unusable"
    | "database_foreign";
  constructor(code: DatabaseProblem["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const damaged = (file: string, what: string, cause?: unknown) =>
  new DatabaseProblem(
    "database_damaged",
    `${file} is damaged (${what}) by a failing disk or another program: stop Hearth, then restore a copy, or move the file and ${file}-wal away to start empty`,
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
  sqlite: Sqlite,
  check: "quick_check" | "integrity_check" = "quick_check",
  file = sqlite.name,
): void {
  try {
    const first = String(sqlite.pragma(`${check}(1)`));
    if (first !== "ok") throw damaged(file, first.replaceAll("\n", " "));
  } catch (error) {
    throw damageIn(file, error) ?? error;
  }
}

/** Whether the last process that used it ended without closing it, so that its journal remains. */
export const endedUncleanly = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** The names of the executed migrations, in order; none in an empty database. */
export function ranMigrations(sqlite: Sqlite): string[] {
  const made = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get();
  if (made === undefined) return [];
  return sqlite.prepare("select name from kysely_migration order by name").values<string>();
}

/** Another Hearth, whose tables this one cannot use. */
export interface OtherHearth {
  readonly isNewer: boolean;
  /** One of its migrations that is unknown here. */
  readonly migration: string;
}

/**
 * The Hearth that executed migrations which are unknown here; undefined if all are known. A newer Hearth has executed
 * all of this one's, too; the trial versions before 0.1.0 had others.
 */
export function otherHearth(ran: readonly string[], known: readonly string[]): OtherHearth | undefined {
  const migration = ran.find((name) => !known.includes(name));
  return migration === undefined ? undefined : { isNewer: known.every((name) => ran.includes(name)), migration };
}

/** @param wayOut what to do instead of starting the other one */
export const otherProblem = (database: string, { isNewer, migration }: OtherHearth, wayOut: string): DatabaseProblem =>
  isNewer
    ? new DatabaseProblem(
        "database_newer",
        `a newer Hearth created ${database} (unknown migration ${migration}): start that version, or ${wayOut}`,
      )
    : new DatabaseProblem(
        "database_too_old",
        `a trial version before Hearth 0.1.0 created ${database} (migration ${migration}), and this version cannot read it: ${wayOut}`,
      );

/** @throws DatabaseProblem for an executed migration that is unknown here */
export function refuseOthers(sqlite: Sqlite, known: readonly string[], file = sqlite.name): void {
  const other = otherHearth(ranMigrations(sqlite), known);
  if (other) throw otherProblem(file, other, "choose another folder with --data-dir");
}
