/** Where in which schema a rule is made. */
import type { GrammarRules } from "./grammar-rules.ts";
import { unenforceable } from "./unenforceable.ts";

export interface SchemaPlace {
  readonly rules: GrammarRules;
  /** The whole schema, in which references are looked up. */
  readonly root: unknown;
  /** JSON pointer, for messages and names. */
  readonly path: string;
  /** Schemas around this one, references followed. */
  readonly depth: number;
  /** Schemas whose values are those of this one, with nothing around them: none of them can be a part of itself. */
  readonly same: ReadonlySet<unknown>;
}

/** Makes a rule for the values of a schema and returns its name. */
export type RuleOf = (schema: unknown, place: SchemaPlace) => string;

/** Where a schema of its own begins. */
export const topPlace = (of: Pick<SchemaPlace, "rules" | "root" | "path">): SchemaPlace => ({
  ...of,
  depth: 0,
  same: new Set(),
});

/** The engine calls itself for each, and so do we. */
const deepest = 200;

function deeper(place: SchemaPlace, keys: readonly (string | number)[]): SchemaPlace {
  const [keyword = "$ref"] = keys;
  if (place.depth >= deepest)
    throw unenforceable(String(keyword), place.path, `it is nested deeper than ${String(deepest)} levels`);
  return { ...place, path: [place.path, ...keys].join("/"), depth: place.depth + 1 };
}

/** Where a member, an item or another part of a value is described. */
export const inside = (place: SchemaPlace, ...keys: readonly (string | number)[]): SchemaPlace => ({
  ...deeper(place, keys),
  same: new Set(),
});

/** Where the same value is described once more. */
export const beside = (place: SchemaPlace, schema: unknown, ...keys: readonly (string | number)[]): SchemaPlace => ({
  ...deeper(place, keys),
  same: new Set([...place.same, schema]),
});
