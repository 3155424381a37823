import Sqlite from "better-sqlite3";
import type { Compilable } from "kysely";
import type { PreparedRead, PreparedReads } from "../database.ts";
import type { WriteConnection } from "./write-connection.ts";

/** The most cached results of a query. */
const maxRemembered = 1_000;

/**
 * Results are cached until the next write. During a transaction, reads use a connection of their own, whose cache is
 * invalid after each write.
 * @throws when the file cannot be opened
 */
export function openPreparedReads(writer: WriteConnection): PreparedReads & { close(): void } {
  const reader = new Sqlite(writer.sqlite.name, { readonly: true });
  return {
    prepare<Row>(query: Compilable<Row>): PreparedRead<Row> {
      const { sql, parameters } = query.compile();
      const near = writer.sqlite.prepare<unknown[], Row>(sql);
      const apart = reader.prepare<unknown[], Row>(sql);
      const remembered = new Map<string, readonly Row[]>();
      let asOf = writer.writes;
      return (...given) => {
        if (given.length !== parameters.length)
          throw new Error(`${String(parameters.length)} parameters are needed: ${sql}`);
        if (asOf !== writer.writes || remembered.size >= maxRemembered) {
          remembered.clear();
          asOf = writer.writes;
        }
        const key = given.length === 1 ? String(given[0]) : JSON.stringify(given);
        let rows = remembered.get(key);
        if (!rows) remembered.set(key, (rows = (writer.sqlite.inTransaction ? apart : near).all(...given)));
        return rows;
      };
    },
    derived<From extends object, To>(make: (from: From) => To) {
      const made = new WeakMap<From, To>();
      return (from: From) => {
        let value = made.get(from);
        if (value === undefined) made.set(from, (value = make(from)));
        return value;
      };
    },
    close: () => void reader.close(),
  };
}
