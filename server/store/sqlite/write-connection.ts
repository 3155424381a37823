import { ConstraintViolation, UniqueViolation } from "../database.ts";
import type { Sqlite } from "../native-sqlite.ts";

/** The only connection that writes to the file. */
export interface WriteConnection {
  readonly sqlite: Sqlite;
  /** Incremented before each statement that may change the data that others read, a commit included. */
  writes: number;
  /** Resolves once earlier commits are as durable as configured. @throws when the disk fails */
  readonly synced: () => Promise<void>;
}

const uniqueCodes = new Set(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_ROWID"]);

/** Maps SQLite's constraint errors to those of the interface. */
export function toStoreError(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (typeof code !== "string" || !code.startsWith("SQLITE_CONSTRAINT")) return error;
  const Violation = uniqueCodes.has(code) ? UniqueViolation : ConstraintViolation;
  return new Violation(message, { cause: error });
}
