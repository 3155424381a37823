import Sqlite from "better-sqlite3";
import type { Compilable } from "kysely";

/** Rows of a prepared query; parameters in the order in which the query was built. */
export type PreparedRead<Row> = (...parameters: readonly (string | number)[]) => Row[];

/**
 * Queries of hot paths: written with Kysely like all others, but compiled once instead of at every call. They read on a
 * connection of their own, so that they never see the inside of an open transaction.
 */
export interface PreparedReads {
  /** The values with which the query was built only stand for the parameters. */
  prepare<Row>(query: Compilable<Row>): PreparedRead<Row>;
  close(): void;
}

/** @throws when the file cannot be opened */
export function openPreparedReads(file: string): PreparedReads {
  const sqlite = new Sqlite(file, { readonly: true });
  return {
    prepare<Row>(query: Compilable<Row>): PreparedRead<Row> {
      const { sql, parameters } = query.compile();
      const statement = sqlite.prepare<unknown[], Row>(sql);
      return (...given) => {
        if (given.length !== parameters.length)
          throw new Error(`${String(parameters.length)} parameters are needed: ${sql}`);
        return statement.all(...given);
      };
    },
    close: () => void sqlite.close(),
  };
}
