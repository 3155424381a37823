import type { Compilable } from "kysely";
import type { PreparedRead, PreparedReads } from "../database.ts";
import type { Connections } from "./connections.ts";
import { statementName } from "./grouped-writes.ts";
import { JsonParameter } from "./query-compiler.ts";

/** Results are never kept: another instance may have written since. */
export const createPreparedReads = ({ readers }: Connections): PreparedReads => ({
  prepare<Row>(query: Compilable<Row>): PreparedRead<Row> {
    const { sql: text, parameters } = query.compile();
    const name = statementName(text);
    return async (...given) => {
      if (given.length !== parameters.length)
        throw new Error(`${String(parameters.length)} parameters are needed: ${text}`);
      const values = given.map((value, index) =>
        parameters[index] instanceof JsonParameter ? JSON.stringify(value) : value,
      );
      return (await readers.query({ name, text, values })).rows as Row[];
    };
  },
});
