/**
 * Node's own SQLite with what Hearth needs of it: errors with SQLite's names, rows as ordinary objects, bytes as buffers,
 * and numbers beyond 2 ** 53 rounded as JSON does.
 */
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Durability } from "./database.ts";

interface Options {
  readonly readOnly?: boolean;
  /** How long a statement waits for another connection's lock. Default: 5 s. */
  readonly busyMs?: number;
}

type Value = string | number | Buffer | null;

/** SQLite's numbers for the results that Hearth tells apart or shows (https://www.sqlite.org/rescode.html). */
const results = new Map([
  [5, "SQLITE_BUSY"],
  [6, "SQLITE_LOCKED"],
  [8, "SQLITE_READONLY"],
  [10, "SQLITE_IOERR"],
  [11, "SQLITE_CORRUPT"],
  [13, "SQLITE_FULL"],
  [14, "SQLITE_CANTOPEN"],
  [19, "SQLITE_CONSTRAINT"],
  [26, "SQLITE_NOTADB"],
  [1555, "SQLITE_CONSTRAINT_PRIMARYKEY"],
  [2067, "SQLITE_CONSTRAINT_UNIQUE"],
  [2579, "SQLITE_CONSTRAINT_ROWID"],
]);

/** Runs an operation. @throws its error, whose `code` names SQLite's result */
function run<Result>(operation: () => Result): Result {
  try {
    return operation();
  } catch (error) {
    throw nameResult(error);
  }
}

function nameResult(error: unknown): unknown {
  const { code, errcode } = error as { code?: unknown; errcode?: number };
  if (code !== "ERR_SQLITE_ERROR" || errcode === undefined) return error;
  return Object.assign(error as Error, { code: results.get(errcode) ?? results.get(errcode & 255) ?? "SQLITE_ERROR" });
}

const isTooLarge = (error: unknown) => (error as { code?: unknown }).code === "ERR_OUT_OF_RANGE";

function toValue(value: unknown): Value {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value as Value;
}

/** A prepared statement. Its methods take the parameters as a list. */
export class SqliteStatement<Row = unknown> {
  /** Whether it returns rows. */
  readonly reader: boolean;
  /** Whether it surely changes nothing. */
  readonly readonly: boolean;
  readonly #statement: StatementSync;
  readonly #columns: readonly string[];

  constructor(statement: StatementSync, text: string) {
    this.#statement = statement;
    this.#columns = statement.columns().map(({ name }) => name);
    this.reader = this.#columns.length > 0;
    this.readonly = this.reader && /^\s*select\b/i.test(text);
    // Arrays are quicker to read than Node's objects. A failed read can be repeated, a write cannot.
    statement.setReturnArrays(true);
    if (!this.readonly) statement.setReadBigInts(true);
  }

  all(parameters: readonly unknown[] = []): Row[] {
    return this.#read(parameters).map((values) => this.#toRow(values));
  }

  /** The first row. */
  get(parameters: readonly unknown[] = []): Row | undefined {
    return this.all(parameters)[0];
  }

  /** The first column of each row. */
  values<Of>(parameters: readonly unknown[] = []): Of[] {
    return this.#read(parameters).map(([value]) => toValue(value) as Of);
  }

  run(parameters: readonly unknown[] = []): { changes: number; lastInsertRowid: number | bigint } {
    const { changes, lastInsertRowid } = run(() => this.#statement.run(...(parameters as SQLInputValue[])));
    return { changes: Number(changes), lastInsertRowid };
  }

  /** Kysely's interface has it for streams, which no query of Hearth's is. */
  iterate(parameters: readonly unknown[] = []): IterableIterator<Row> {
    return this.all(parameters).values();
  }

  #read(parameters: readonly unknown[]): readonly unknown[][] {
    const read = () => this.#statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][];
    try {
      return read();
    } catch (error) {
      if (!isTooLarge(error)) throw nameResult(error);
      this.#statement.setReadBigInts(true);
      return run(read);
    }
  }

  #toRow(values: readonly unknown[]): Row {
    const row: Record<string, Value> = {};
    for (let index = 0; index < values.length; index++) row[this.#columns[index] ?? ""] = toValue(values[index]);
    return row as Row;
  }
}

/** A connection to a database file. */
export class Sqlite {
  /** The path as it was given; `:memory:` for one without a file. */
  readonly name: string;
  readonly #database: DatabaseSync;

  /** @param file a path, or a `file:` address with SQLite's parameters. @throws when it cannot be opened */
  constructor(file: string | URL, { readOnly = false, busyMs = 5_000 }: Options = {}) {
    this.name = String(file);
    this.#database = run(() => new DatabaseSync(file, { readOnly, timeout: busyMs, defensive: true }));
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  prepare<Row = unknown>(text: string): SqliteStatement<Row> {
    return new SqliteStatement<Row>(
      run(() => this.#database.prepare(text)),
      text,
    );
  }

  /** Writes through a journal beside the file. Writers of Hearth wait for the disk themselves, not the whole process. */
  useJournal(durability: Durability): void {
    // Before the journal, whose creation would wait for the disk.
    if (durability === "none") this.pragma("synchronous = off");
    this.pragma("journal_mode = WAL");
    if (durability !== "none") this.pragma("synchronous = normal");
  }

  /** Keeps 16 MB of pages in memory, SQLite's own default being 2. */
  enlargeCache(): void {
    this.pragma("cache_size = -16000");
  }

  /** Runs statements whose rows nobody reads. */
  exec(text: string): void {
    run(() => this.#database.exec(text));
  }

  /** The value of a `pragma`. */
  pragma(text: string): unknown {
    return this.prepare(`pragma ${text}`).values()[0];
  }

  /** A function that does its work in one transaction: the caller's, where it has begun one. */
  transaction<Parameters extends unknown[], Result>(
    work: (...parameters: Parameters) => Result,
  ): (...parameters: Parameters) => Result {
    return (...parameters) => {
      if (this.inTransaction) return work(...parameters);
      this.exec("begin");
      try {
        const result = work(...parameters);
        this.exec("commit");
        return result;
      } finally {
        if (this.inTransaction) this.exec("rollback");
      }
    };
  }

  /** Adds a function of SQL whose result depends on its parameters alone. */
  function(name: string, compute: (...parameters: never[]) => SQLInputValue): void {
    this.#database.function(name, { deterministic: true }, compute as (...parameters: unknown[]) => SQLInputValue);
  }

  /** Copies the database as it is now, in steps of `pages`. @param onStep receives the pages that remain, and all */
  async copyTo(file: string, pages: number, onStep: (remaining: number, total: number) => void): Promise<void> {
    await backup(this.#database, file, {
      rate: pages,
      progress: ({ remainingPages, totalPages }) => onStep(remainingPages, totalPages),
    }).catch((error: unknown) => {
      throw nameResult(error);
    });
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}
