/** Where in which schema a rule is made. */
import type { GrammarRules } from "./grammar-rules.ts";

export interface SchemaPlace {
  readonly rules: GrammarRules;
  /** The whole schema, in which references are looked up. */
  readonly root: unknown;
  /** JSON pointer, for messages and names. */
  readonly path: string;
}

/** Makes a rule for the values of a schema and returns its name. */
export type RuleOf = (schema: unknown, place: SchemaPlace) => string;

export const inside = (place: SchemaPlace, ...keys: readonly (string | number)[]): SchemaPlace => ({
  ...place,
  path: [place.path, ...keys].join("/"),
});
