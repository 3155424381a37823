/** Connections to a PostgreSQL database: one that writes, used by one caller at a time, and some that read. */
import pg from "pg";
import type { Durability } from "../database.ts";
import { isBroken, toStoreError } from "./errors.ts";

/** The connection that writes, while somebody has it. */
export interface Held {
  /** @throws StoreProblem, ConstraintViolation, or the server's error */
  query(query: string | pg.QueryConfig): Promise<pg.QueryResult>;
  /** Undoes the open transaction. Never fails: a connection that cannot is closed, which undoes it, too. */
  rollback(): Promise<void>;
  release(): void;
}

export interface Connections {
  /** The statements that commit a transaction of the schema. */
  readonly commit: string;
  /** Number of the schema's advisory lock, which every transaction that writes holds. */
  readonly lock: string;
  /** Waits for earlier callers. @throws once the database is closed; StoreProblem when it cannot be reached */
  hold(): Promise<Held>;
  /** The connection of the caller who has it, for statements of its transaction. */
  readonly current: () => Held;
  /** Reads beside the writes. @throws StoreProblem, or the server's error */
  read(query: pg.QueryConfig): Promise<pg.QueryResult>;
  close(): Promise<void>;
}

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

/** So long a connection is waited for. */
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

export function openConnections({ url, schema, durability, commit }: Options): Connections {
  const setUp = [
    `set search_path = ${pg.escapeIdentifier(schema)}`,
    `set synchronous_commit = ${durability === "full" ? "on" : "off"}`,
    `set idle_in_transaction_session_timeout = ${String(idleInTransactionMs)}`,
  ].join("; ");

  function pool(max: number): pg.Pool {
    function onConnect(client: pg.ClientBase): void {
      client.on("error", () => undefined); // the next statement reports it
      return client.query(setUp) as unknown as void; // awaited by the pool, although its type does not say so
    }
    const made = new pg.Pool({
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
    made.on("error", () => undefined);
    return made;
  }

  const writer = pool(1);
  const readers = pool(maxReaders);
  let current: Held | undefined;
  let closed = false;
  let last = Promise.resolve();
  let failed: { readonly at: number; readonly error: unknown } | undefined;

  /** @param since when its caller began to wait: those who wait together for a database that is away wait once */
  async function connect(since: number): Promise<pg.PoolClient> {
    if (failed && failed.at > since) throw failed.error;
    try {
      return await writer.connect();
    } catch (error) {
      failed = { at: performance.now(), error: toStoreError(error) };
      throw failed.error;
    }
  }

  function heldFor(client: pg.PoolClient, next: () => void): Held {
    let broken = false;
    async function query(asked: string | pg.QueryConfig): Promise<pg.QueryResult> {
      try {
        return await client.query(asked);
      } catch (error) {
        broken ||= isBroken(error);
        throw toStoreError(error);
      }
    }
    return {
      query,
      async rollback() {
        if (!broken) await query("rollback").catch(() => (broken = true));
      },
      release() {
        current = undefined;
        client.release(broken);
        next();
      },
    };
  }

  return {
    commit,
    lock: `hashtext('${schema}')`,
    current() {
      if (!current) throw new Error("a statement of a write is used outside of it");
      return current;
    },

    async hold() {
      const since = performance.now();
      const before = last;
      let next: () => void = () => undefined;
      last = new Promise((resolve) => (next = resolve));
      await before;
      try {
        if (closed) throw new Error("the database is closed");
        return (current = heldFor(await connect(since), next));
      } catch (error) {
        next();
        throw error;
      }
    },

    async read(query) {
      try {
        return await readers.query(query);
      } catch (error) {
        throw toStoreError(error);
      }
    },

    async close() {
      closed = true;
      await last;
      await Promise.all([writer.end(), readers.end()]);
    },
  };
}
