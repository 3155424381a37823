import Sqlite from "better-sqlite3";
import { ConstraintViolation, UniqueViolation } from "../database.ts";

/** The one connection that writes: every write of this process to the file goes through it. */
export interface WriteConnection {
  readonly sqlite: Sqlite.Database;
  /** Goes up before each statement that may change what others read, a commit included. */
  writes: number;
  /** Resolves once what has been committed is as safe as it has to be. @throws when the disk fails */
  readonly synced: () => Promise<void>;
}

const uniqueCodes = new Set(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_ROWID"]);

/** What SQLite has thrown, in the words of the port where that has any. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith("SQLITE_CONSTRAINT")) return error;
  const Violation = uniqueCodes.has(error.code) ? UniqueViolation : ConstraintViolation;
  return new Violation(error.message, { cause: error });
}
