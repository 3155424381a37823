/** Write statements of hot paths: built with Kysely, but compiled once instead of at every call. */
import type { CompiledQuery } from "kysely";

class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A placeholder for a value that each call passes under this name. */
export const parameter = <Value>(name: string): Value => new Parameter(name) as Value;

/** A row to insert, whose values each call passes under the column names. */
export const parameterRow = <const Column extends string>(columns: readonly Column[]): Record<Column, never> =>
  Object.fromEntries(columns.map((column) => [column, parameter(column)])) as Record<Column, never>;

/** The values of a statement in the order of its text. */
export const boundParameters = (
  { parameters }: Pick<CompiledQuery, "parameters">,
  values: Readonly<Record<string, unknown>>,
): unknown[] => parameters.map((value) => (value instanceof Parameter ? (values[value.name] ?? null) : value));
