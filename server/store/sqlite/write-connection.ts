import Sqlite from "better-sqlite3";
import { ConstraintViolation, UniqueViolation } from "../database.ts";

/** The only connection that writes to the file. */
export interface WriteConnection {
  readonly sqlite: Sqlite.Database;
  /** Incremented before each statement that may change the data that others read, a commit included. */
  writes: number;
  /** Resolves once earlier commits are as durable as configured. @throws when the disk fails */
  readonly synced: () => Promise<void>;
}

const uniqueCodes = new Set(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_ROWID"]);

/** Maps SQLite's constraint errors to those of the interface. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith("SQLITE_CONSTRAINT")) return error;
  const Violation = uniqueCodes.has(error.code) ? UniqueViolation : ConstraintViolation;
  return new Violation(error.message, { cause: error });
}
