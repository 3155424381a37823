/** Connections to a PostgreSQL database: one that writes, used by one caller at a time, and some that read. */
import pg from "pg";
import type { Durability } from "../database.ts";
import { isBroken, toStoreError } from "./errors.ts";

interface Options {
  readonly url: string;
  readonly schema: string;
  readonly durability: Durability;
  readonly commit: string;
}

/** Connections for reads at the same time; an instance has one more, which writes. */
const maxReaders = 4;

/** A transaction whose instance has stopped answering must not hold up the others. */
const idleInTransactionMs = 60_000;

/** The longest wait for a connection. */
export const connectMs = 10_000;

/** A connection that was dropped without a word is noticed within minutes; by the system's own times, within hours. */
export const noticesSilence = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

const numeric = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Numbers, as SQLite returns them: ids, times and amounts are within what a number holds exactly. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    numeric.has(oid)
      ? Number
      : (pg.types.getTypeParser(oid, format) as (value: string) => unknown)) as pg.CustomTypesConfig["getTypeParser"],
};

function openPool({ url, schema, durability }: Options, max: number): pg.Pool {
  const setUp = [
    `set search_path = ${pg.escapeIdentifier(schema)}`,
    `set synchronous_commit = ${durability === "full" ? "on" : "off"}`,
    `set idle_in_transaction_session_timeout = ${String(idleInTransactionMs)}`,
  ].join("; ");
  function onConnect(client: pg.ClientBase): void {
    client.on("error", () => undefined); // the next statement reports it
    return client.query(setUp) as unknown as void; // awaited by the pool, although its type does not say so
  }
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: schema,
    ...noticesSilence,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 0, // a new connection costs more than an idle one
    onConnect,
  });
  // A connection that ends between two queries is replaced by the next one.
  pool.on("error", () => undefined);
  return pool;
}

/** The connection that writes, held by one caller until `release`. */
export class Held {
  readonly #client: pg.PoolClient;
  readonly #onRelease: () => void;
  #isBroken = false;

  constructor(client: pg.PoolClient, onRelease: () => void) {
    this.#client = client;
    this.#onRelease = onRelease;
  }

  /** @throws StoreProblem, ConstraintViolation, or the server's error */
  async query(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(query);
    } catch (error) {
      this.#isBroken ||= isBroken(error);
      throw toStoreError(error);
    }
  }

  /** Undoes the open transaction. Never fails: a connection that cannot is closed, which undoes it, too. */
  async rollback(): Promise<void> {
    if (!this.#isBroken) await this.query("rollback").catch(() => (this.#isBroken = true));
  }

  release(): void {
    this.#client.release(this.#isBroken);
    this.#onRelease();
  }
}

/**
 * Open until `close`. Callers that write wait for each other: `hold` resolves once everybody before has released the
 * connection. Reads wait for nobody.
 */
export class Connections {
  /** The statements that commit a transaction of the schema. */
  readonly commit: string;
  /** Number of the schema's advisory lock, which every transaction that writes holds. */
  readonly lock: string;
  readonly #writer: pg.Pool;
  readonly #readers: pg.Pool;
  #held: Held | undefined;
  #isClosed = false;
  /** Settles when the last caller in the queue has released the connection. */
  #last = Promise.resolve();
  #failure: { readonly at: number; readonly error: unknown } | undefined;

  constructor(options: Options) {
    this.commit = options.commit;
    this.lock = `hashtext('${options.schema}')`;
    this.#writer = openPool(options, 1);
    this.#readers = openPool(options, maxReaders);
  }

  /** The connection of the caller who has it, for statements of its transaction. */
  current(): Held {
    if (!this.#held) throw new Error("a statement of a write is used outside of it");
    return this.#held;
  }

  /** Waits for earlier callers. @throws once the database is closed; StoreProblem when it cannot be reached */
  async hold(): Promise<Held> {
    const since = performance.now();
    const before = this.#last;
    const { promise, resolve: next } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      if (this.#isClosed) throw new Error("the database is closed");
      const held = new Held(await this.#connect(since), () => {
        this.#held = undefined;
        next();
      });
      return (this.#held = held);
    } catch (error) {
      next();
      throw error;
    }
  }

  /** Reads concurrently with the writes. @throws StoreProblem, or the server's error */
  async read(query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await this.#readers.query(query);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    await Promise.all([this.#writer.end(), this.#readers.end()]);
  }

  /** @param since when its caller began to wait: callers that wait together for an unreachable database wait once */
  async #connect(since: number): Promise<pg.PoolClient> {
    if (this.#failure && this.#failure.at > since) throw this.#failure.error;
    try {
      return await this.#writer.connect();
    } catch (error) {
      this.#failure = { at: performance.now(), error: toStoreError(error) };
      throw this.#failure.error;
    }
  }
}
