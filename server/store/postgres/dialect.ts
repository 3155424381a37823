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
import { isAnswer, toStoreError, type Connections, type Held } from "./connections.ts";
import { PostgresQueryCompiler } from "./query-compiler.ts";

export const createDialect = (connections: Connections): Dialect => ({
  createAdapter: () => new LockedAdapter(),
  createDriver: () => new OrderedDriver(connections),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

/** Whoever migrates has the schema's lock already, from before the tables that Kysely keeps about migrations. */
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
  #broken = false;

  constructor(held: Held, texts: Pick<Connections, "lock" | "commit">) {
    this.#held = held;
    this.#texts = texts;
  }

  /** Another instance may write between two statements, so whatever writes holds the schema's lock. */
  async begin(): Promise<void> {
    this.#inTransaction = true;
    await this.#ask(`begin; select pg_advisory_xact_lock(${this.#texts.lock})`);
  }

  /** @throws also when the transaction went on after a statement that failed, which undoes it */
  async commit(): Promise<void> {
    await this.#ask(this.#texts.commit);
    this.#inTransaction = false;
  }

  async rollback(): Promise<void> {
    await this.#ask("rollback").catch(() => (this.#broken = true));
    this.#inTransaction = false;
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const isAlone = !this.#inTransaction && query.kind !== "SelectQueryNode";
      return toResult(await (isAlone ? this.#write(sql, parameters) : this.#ask(sql, parameters)));
    } catch (error) {
      throw toStoreError(error);
    }
  }

  streamQuery(): never {
    throw new Error("queries are not streamed");
  }

  release(): void {
    this.#held.release(this.#broken);
  }

  async #write(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    try {
      await this.begin();
      const result = await this.#ask(sql, parameters);
      await this.commit();
      return result;
    } catch (error) {
      if (this.#inTransaction) await this.rollback();
      throw error;
    }
  }

  async #ask(sql: string, parameters: readonly unknown[] = []): Promise<pg.QueryResult> {
    try {
      // Without parameters, the simple protocol takes several statements.
      return await this.#held.client.query(sql, parameters.length === 0 ? undefined : [...parameters]);
    } catch (error) {
      this.#broken ||= !isAnswer(error);
      throw error;
    }
  }
}
