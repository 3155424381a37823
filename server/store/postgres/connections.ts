/** Connections to a PostgreSQL database: one that writes, used by one caller at a time, and some that read. */
import pg from "pg";
import { ConstraintViolation, UniqueViolation, type Durability } from "../database.ts";

/** The connection that writes, while somebody has it. */
export interface Held {
  readonly client: pg.PoolClient;
  /** @param broken closes the connection, because its state is unknown */
  release(broken?: boolean): void;
}

export interface Connections {
  /** The statements that commit a transaction of the schema. */
  readonly commit: string;
  /** Number of the schema's advisory lock, which every transaction that writes holds. */
  readonly lock: string;
  /** Waits for earlier callers. @throws once the database is closed, or when there is no connection */
  hold(): Promise<Held>;
  /** The connection of the caller who has it, for statements of its transaction. */
  readonly current: () => pg.PoolClient;
  readonly readers: pg.Pool;
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
      keepAlive: true,
      idleTimeoutMillis: 0, // a new connection costs more than an idle one
      onConnect,
    });
    // A connection that ends between two queries is replaced by the next one.
    made.on("error", () => undefined);
    return made;
  }

  const writer = pool(1);
  const readers = pool(maxReaders);
  let current: pg.PoolClient | undefined;
  let closed = false;
  let last = Promise.resolve();

  return {
    commit,
    lock: `hashtext('${schema}')`,
    readers,
    current() {
      if (!current) throw new Error("a statement of a write is used outside of it");
      return current;
    },

    async hold() {
      const before = last;
      let next: () => void = () => undefined;
      last = new Promise((resolve) => (next = resolve));
      await before;
      try {
        if (closed) throw new Error("the database is closed");
        const client = (current = await writer.connect());
        return {
          client,
          release(broken = false) {
            current = undefined;
            client.release(broken);
            next();
          },
        };
      } catch (error) {
        next();
        throw error;
      }
    },

    async close() {
      closed = true;
      await last;
      await Promise.all([writer.end(), readers.end()]);
    },
  };
}

/** Whether the server answered the statement; otherwise the state of the connection is unknown. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity !== "FATAL" && error.severity !== "PANIC";

/** Maps PostgreSQL's errors to those of the interface, where it has them. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code?.startsWith("23") !== true) return error;
  const Violation = error.code === "23505" ? UniqueViolation : ConstraintViolation;
  return new Violation(error.message, { cause: error });
}
