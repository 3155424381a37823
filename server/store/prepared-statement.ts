/** Statements of hot paths that write: built with Kysely like all others, but compiled once instead of at every call. */
import type { Compilable, CompiledQuery, Kysely } from "kysely";

class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a statement for a value that each call gives under this name. */
export const parameter = <Value>(name: string): Value => new Parameter(name) as Value;

/** The values of a statement in the order of its text. */
export const boundParameters = (
  { parameters }: Pick<CompiledQuery, "parameters">,
  values: Readonly<Record<string, unknown>>,
): unknown[] => parameters.map((given) => (given instanceof Parameter ? (values[given.name] ?? null) : given));

/** Runs it; a parameter that gets no value is null. */
export type PreparedStatement<Row> = (values: Readonly<Record<string, unknown>>) => Promise<Row[]>;

/** Runs on the connection of `db`, after what was asked of it before. */
export function prepareStatement<Row>(
  db: Pick<Kysely<unknown>, "executeQuery">,
  query: Compilable<Row>,
): PreparedStatement<Row> {
  const compiled = query.compile();
  return async (values) => {
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters: boundParameters(compiled, values) });
    return rows;
  };
}
