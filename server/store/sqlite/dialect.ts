/** Kysely's SQLite, as it is used here: on one connection, with statements that are kept, and waiting for the disk. */
import type Sqlite from "better-sqlite3";
import {
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDatabase,
  type SqliteDialectConfig,
} from "kysely";
import { toStoreError, type WriteConnection } from "./write-connection.ts";

export function createDialect(writer: WriteConnection, beforeClose: () => Promise<void>): SqliteDialect {
  const config = { database: keepingStatements(writer) };
  const createDriver = () => new WaitingDriver(config, writer, beforeClose);
  const createAdapter = () => new TransactionalAdapter();
  return Object.assign(new SqliteDialect(config), { createDriver, createAdapter });
}

/** A migration that fails or is cut off leaves nothing behind: Kysely does not count on it, but SQLite undoes tables, too. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Whoever writes by Kysely is answered when the disk has it. */
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

/** Texts beyond this many are few: what differs from call to call is bound, not written out. */
const maxStatements = 500;

/**
 * Compiling a statement costs several times its execution, and Kysely compiles at every query: the latest are kept. Kysely
 * runs a statement at once after preparing it, so nothing comes between the count and the change.
 */
function keepingStatements(writer: WriteConnection): SqliteDatabase {
  const { sqlite } = writer;
  const kept = new Map<string, Sqlite.Statement>();

  function compile(text: string): Sqlite.Statement {
    const statement = sqlite.prepare(text);
    const [oldest] = kept.keys();
    if (kept.size >= maxStatements && oldest !== undefined) kept.delete(oldest);
    kept.set(text, statement);
    return statement;
  }

  return {
    close: () => void sqlite.close(),
    prepare(asked) {
      // A full disk has undone the transaction already: what it has said must not be lost over that.
      const text = asked === "rollback" && !sqlite.inTransaction ? "select 1" : asked;
      const known = kept.get(text);
      const statement = known && !known.busy ? known : compile(text);
      if (!statement.reader || !statement.readonly) writer.writes++;
      return statement;
    },
  };
}
