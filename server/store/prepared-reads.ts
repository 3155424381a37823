import Sqlite from "better-sqlite3";
import type { Compilable } from "kysely";

/** Rows of a prepared query; parameters in the order in which the query was built. The rows must not be changed. */
export type PreparedRead<Row> = (...parameters: readonly (string | number)[]) => readonly Row[];

/** Counts what may have changed a database since it was opened: whoever remembers a result asks whether it still holds. */
export interface WriteCount {
  writes: number;
  /** The connection that writes, as long as it is open. */
  writer?: Sqlite.Database | undefined;
  /** Resolves once what has been committed is as safe as it has to be. @throws when the disk fails */
  synced?: () => Promise<void>;
}

/**
 * Queries of hot paths: written with Kysely like all others, but compiled once instead of at every call, and remembered
 * until the next write. They never see the inside of an open transaction: while there is one, they read on a connection of
 * their own, which after each write has to fetch its pages anew.
 */
export interface PreparedReads {
  /** The values with which the query was built only stand for the parameters. */
  prepare<Row>(query: Compilable<Row>): PreparedRead<Row>;
  close(): void;
}

/** Results that a query remembers at the most. */
const maxRemembered = 1_000;

/**
 * @param count the one with which the database was opened: every write of this process goes through that connection
 * @throws when the file cannot be opened
 */
export function openPreparedReads(file: string, count: WriteCount): PreparedReads {
  const sqlite = new Sqlite(file, { readonly: true });
  return {
    prepare<Row>(query: Compilable<Row>): PreparedRead<Row> {
      const { sql, parameters } = query.compile();
      const apart = sqlite.prepare<unknown[], Row>(sql);
      let near: { readonly writer: Sqlite.Database; readonly statement: typeof apart } | undefined;
      function statement(): typeof apart {
        const { writer } = count;
        if (!writer || writer.inTransaction) return apart;
        if (near?.writer !== writer) near = { writer, statement: writer.prepare<unknown[], Row>(sql) };
        return near.statement;
      }
      const remembered = new Map<string, readonly Row[]>();
      let asOf = count.writes;
      return (...given) => {
        if (given.length !== parameters.length)
          throw new Error(`${String(parameters.length)} parameters are needed: ${sql}`);
        if (asOf !== count.writes || remembered.size >= maxRemembered) {
          remembered.clear();
          asOf = count.writes;
        }
        const key = given.length === 1 ? String(given[0]) : JSON.stringify(given);
        let rows = remembered.get(key);
        if (!rows) remembered.set(key, (rows = statement().all(...given)));
        return rows;
      };
    },
    close: () => void sqlite.close(),
  };
}
