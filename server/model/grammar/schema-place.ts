/** Where in which schema a rule is made. */
import type { GrammarRules } from "./grammar-rules.ts";
import { schemaReferences, type SchemaReferences } from "../../json-schema/schema-references.ts";
import { unenforceable } from "./unenforceable.ts";

export interface SchemaPlace {
  readonly rules: GrammarRules;
  readonly references: SchemaReferences;
  /** JSON pointer, for messages and names. */
  readonly path: string;
  /** Schemas around this one. */
  readonly depth: number;
  /** Whether members and items may come that the schema does not name but allows, although it does not say so. */
  readonly isOpen: boolean;
}

/** A schema and where it is. */
export interface Source {
  readonly schema: unknown;
  readonly path: string;
}

/** Makes a rule for the values that satisfy all of these schemas, and returns its name. */
export type RuleOf = (sources: readonly Source[], place: SchemaPlace) => string;

/** Where a schema of its own begins. `root`: the whole schema, in which references are looked up. */
export const topPlace = ({
  root,
  isOpen = false,
  ...of
}: Pick<SchemaPlace, "rules" | "path"> & { root: unknown; isOpen?: boolean }): SchemaPlace => ({
  ...of,
  isOpen,
  references: schemaReferences(root),
  depth: 0,
});

/** The engine calls itself for each, and so do we. */
const deepest = 200;

/** Where a member, an item or another part of a value is described. */
export function inside(place: SchemaPlace, keyword: string, ...keys: readonly (string | number)[]): SchemaPlace {
  if (place.depth >= deepest)
    throw unenforceable(keyword, place.path, `it is nested deeper than ${String(deepest)} levels`);
  return { ...place, path: [place.path, keyword, ...keys].join("/"), depth: place.depth + 1 };
}
