import type { Compilable } from "kysely";
import type { PreparedRead, PreparedReads } from "../database.ts";
import { boundNumber } from "./bound-number.ts";
import { addOwnFunctions } from "./own-functions.ts";
import type { WriteConnection } from "./write-connection.ts";
import { Sqlite } from "../native-sqlite.ts";

/** The limit of all cached results together, as `sizeOf` estimates it. */
const maxRememberedBytes = 16 << 20;

/** The memory of a value, a row or a result in addition to its content. */
const bytesOfEach = 32;

const bytesOf = (value: unknown) =>
  bytesOfEach + (typeof value === "string" ? value.length : value instanceof Uint8Array ? value.byteLength : 0);

function sizeOf(key: string, rows: readonly unknown[]): number {
  let size = bytesOf(key);
  for (const row of rows) {
    size += bytesOfEach;
    for (const value of Object.values(row as object)) size += bytesOf(value);
  }
  return size;
}

/**
 * Results are cached until the next write, from the second read on: where writes are frequent, most are read once. During a transaction, reads use a connection of their own, whose cache is
 * invalid after each write.
 * @throws when the file cannot be opened
 */
export function openPreparedReads(writer: WriteConnection): PreparedReads & { close(): void } {
  const reader = new Sqlite(writer.sqlite.name, { readOnly: true });
  reader.enlargeCache();
  addOwnFunctions(reader);
  /** The caches of queries with results in them. */
  const filled = new Set<Map<string, unknown>>();
  let bytes = 0;
  let asOf = writer.writes;

  function forgetAll(): void {
    for (const remembered of filled) remembered.clear();
    filled.clear();
    bytes = 0;
    asOf = writer.writes;
  }

  return {
    prepare<Row>(query: Compilable<Row>): PreparedRead<Row> {
      const { sql, parameters } = query.compile();
      const near = writer.sqlite.prepare<Row>(sql);
      const apart = reader.prepare<Row>(sql);
      /** Undefined for a result that was read once. */
      const remembered = new Map<string, readonly Row[] | undefined>();

      function remember(key: string, rows: readonly Row[]): void {
        const isFirst = !remembered.has(key);
        const size = isFirst ? bytesOf(key) : sizeOf(key, rows);
        if (size > maxRememberedBytes) return;
        if (bytes + size > maxRememberedBytes) forgetAll();
        remembered.set(key, isFirst ? undefined : rows);
        filled.add(remembered);
        bytes += size;
      }

      return (...values) => {
        if (values.length !== parameters.length)
          throw new Error(`${String(parameters.length)} parameters are needed: ${sql}`);
        if (asOf !== writer.writes) forgetAll();
        const key = values.length === 1 ? String(values[0]) : JSON.stringify(values);
        let rows = remembered.get(key);
        if (!rows) remember(key, (rows = (writer.sqlite.inTransaction ? apart : near).all(values.map(boundNumber))));
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
