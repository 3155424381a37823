import type { Compilable } from "kysely";
import type { PreparedRead, PreparedReads } from "../database.ts";
import type { Connections } from "./connections.ts";
import { statementName } from "./grouped-writes.ts";
import { JsonParameter } from "./query-compiler.ts";
import { storable } from "./storable-texts.ts";

/** Results are never kept: another instance may have written since. */
export const createPreparedReads = ({ read }: Pick<Connections, "read">): PreparedReads => ({
  prepare<Row>(query: Compilable<Row>): PreparedRead<Row> {
    const compiled = query.compile();
    const { sql: text, parameters } = compiled;
    const name = statementName(text);
    return async (...given) => {
      if (given.length !== parameters.length)
        throw new Error(`${String(parameters.length)} parameters are needed: ${text}`);
      const values = given.map((value, index) =>
        parameters[index] instanceof JsonParameter ? new JsonParameter(value) : value,
      );
      return (await read({ name, text, values: [...storable(compiled, values)] })).rows as Row[];
    };
  },
  derived: (make) => make,
});
