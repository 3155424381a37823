/** Kysely's PostgreSQL dialect on the one connection that writes. */
import {
  PostgresAdapter,
  PostgresIntrospector,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from "kysely";
import type pg from "pg";
import type { Connections, Held } from "./connections.ts";
import { PostgresQueryCompiler } from "./query-compiler.ts";
import { storable } from "./storable-texts.ts";

export const createDialect = (connections: Connections): Dialect => ({
  createAdapter: () => new LockedAdapter(),
  createDriver: () => new OrderedDriver(connections),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

/** The caller already holds the schema's lock, which it took before Kysely's own tables existed. */
class LockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class OrderedDriver implements Driver {
  readonly #connections: Connections;
  constructor(connections: Connections) {
    this.#connections = connections;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<Connection> {
    return new Connection(await this.#connections.hold(), this.#connections);
  }
  beginTransaction = (connection: Connection): Promise<void> => connection.begin();
  commitTransaction = (connection: Connection): Promise<void> => connection.commit();
  rollbackTransaction = (connection: Connection): Promise<void> => connection.rollback();
  async releaseConnection(connection: Connection): Promise<void> {
    connection.release();
  }
  destroy = (): Promise<void> => this.#connections.close();
}

const commandsThatCount = new Set(["INSERT", "UPDATE", "DELETE"]);

const toResult = <Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> => ({
  rows: rows as Row[],
  ...(commandsThatCount.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
});

class Connection implements DatabaseConnection {
  readonly #held: Held;
  readonly #texts: Pick<Connections, "lock" | "commit">;
  #inTransaction = false;

  constructor(held: Held, texts: Pick<Connections, "lock" | "commit">) {
    this.#held = held;
    this.#texts = texts;
  }

  /**
   * Another instance may write between two statements, so every write holds the schema's lock. If that fails, the
   * transaction is undone here, because Kysely undoes only transactions that have begun.
   */
  async begin(): Promise<void> {
    this.#inTransaction = true;
    try {
      await this.#held.query(`begin; select pg_advisory_xact_lock(${this.#texts.lock})`);
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  /** @throws also when a statement has failed and the transaction continued, which undoes it */
  async commit(): Promise<void> {
    await this.#held.query(this.#texts.commit);
    this.#inTransaction = false;
  }

  async rollback(): Promise<void> {
    await this.#held.rollback();
    this.#inTransaction = false;
  }

  async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql: text, query } = compiled;
    const values = storable(compiled, compiled.parameters);
    // Without parameters, the simple protocol takes several statements.
    const ask = () => this.#held.query(values.length === 0 ? text : { text, values: [...values] });
    const isAlone = !this.#inTransaction && query.kind !== "SelectQueryNode";
    return toResult(await (isAlone ? this.#write(ask) : ask()));
  }

  streamQuery(): never {
    throw new Error("queries are not streamed");
  }

  release(): void {
    this.#held.release();
  }

  async #write(ask: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    try {
      await this.begin();
      const result = await ask();
      await this.commit();
      return result;
    } catch (error) {
      if (this.#inTransaction) await this.rollback();
      throw error;
    }
  }
}
