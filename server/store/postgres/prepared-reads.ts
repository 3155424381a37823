import type { Compilable } from "kysely";
import type { PreparedRead, PreparedReads } from "../database.ts";
import type { Connections } from "./connections.ts";
import { statementName } from "./grouped-writes.ts";
import { JsonParameter } from "./query-compiler.ts";
import { storable } from "./storable-texts.ts";

/**
 * The limit of named statements, which each connection and the server keep for ever. Clients may request lists in ever
 * new sort orders; further statements are parsed each time.
 */
const maxNamed = 300;

/** Results are never kept: another instance may have written since. */
export function createPreparedReads(connections: Pick<Connections, "read">): PreparedReads {
  const names = new Set<string>();
  return {
    prepare<Row>(query: Compilable<Row>): PreparedRead<Row> {
      const compiled = query.compile();
      const { sql: text, parameters } = compiled;
      const name = statementName(text);
      if (names.size < maxNamed) names.add(name);
      const named = { text, ...(names.has(name) && { name }) };
      return async (...passed) => {
        if (passed.length !== parameters.length)
          throw new Error(`${String(parameters.length)} parameters are needed: ${text}`);
        const values = passed.map((value, index) =>
          parameters[index] instanceof JsonParameter ? new JsonParameter(value) : value,
        );
        return (await connections.read({ ...named, values: [...storable(compiled, values)] })).rows as Row[];
      };
    },
    derived: (make) => make,
  };
}
