/** Kysely's SQLite dialect on one connection, with cached statements, and waiting for the disk. */
import {
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDatabase,
  type SqliteDialectConfig,
} from "kysely";
import { toStoreError, type WriteConnection } from "./write-connection.ts";
import type { SqliteStatement } from "../native-sqlite.ts";

export function createDialect(writer: WriteConnection, beforeClose: () => Promise<void>): SqliteDialect {
  const config = { database: keepingStatements(writer) };
  const createDriver = () => new WaitingDriver(config, writer, beforeClose);
  const createAdapter = () => new TransactionalAdapter();
  return Object.assign(new SqliteDialect(config), { createDriver, createAdapter });
}

/** SQLite undoes a failed or interrupted migration completely, tables included, although Kysely does not expect it. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Queries through Kysely resolve when their writes are on the disk. */
class WaitingDriver extends SqliteDriver {
  readonly #wrap: (connection: DatabaseConnection) => DatabaseConnection;
  readonly #beforeClose: () => Promise<void>;
  constructor(config: SqliteDialectConfig, writer: WriteConnection, beforeClose: () => Promise<void>) {
    super(config);
    this.#beforeClose = beforeClose;
    this.#wrap = (connection) => ({
      streamQuery: (...query) => connection.streamQuery(...query),
      async executeQuery(query) {
        const before = writer.writes;
        const result = await connection.executeQuery<never>(query).catch((error: unknown) => {
          throw toStoreError(error);
        });
        if (writer.writes !== before && !writer.sqlite.inTransaction) await writer.synced();
        return result;
      },
    });
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#wrap(await super.acquireConnection());
  }
  override async destroy(): Promise<void> {
    await this.#beforeClose();
    await super.destroy();
  }
}

const isDefinition = /^\s*(?:create|alter|drop)\b/i;

/** Most texts are cached within this number: values are bound, not part of the text. */
const maxStatements = 500;

/**
 * Caches the latest compiled statements, because compiling costs several times the execution, and Kysely compiles every
 * query. Kysely runs a statement right after preparing it, so nothing comes between the count and the change.
 */
function keepingStatements(writer: WriteConnection): SqliteDatabase {
  const { sqlite } = writer;
  const kept = new Map<string, SqliteStatement>();

  function compile(text: string): SqliteStatement {
    const statement = sqlite.prepare(text);
    const [oldest] = kept.keys();
    if (kept.size >= maxStatements && oldest !== undefined) kept.delete(oldest);
    kept.set(text, statement);
    return statement;
  }

  return {
    close: () => void sqlite.close(),
    prepare(asked) {
      // A full disk has already undone the transaction; its error must not be replaced by that of the rollback.
      const text = asked === "rollback" && !sqlite.inTransaction ? "select 1" : asked;
      if (isDefinition.test(text)) kept.clear(); // compiled statements know the columns of their tables
      const statement = kept.get(text) ?? compile(text);
      if (!statement.readonly) writer.writes++;
      return statement;
    },
  };
}
