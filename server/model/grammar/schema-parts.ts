/** The parts of a schema, once alternatives and references are resolved. */
import { canonical } from "../../json-schema/assertions.ts";
import type { SchemaObject } from "../../json-schema/json-schema.ts";
import { isObject } from "../../contract/is-object.ts";
import { countOf } from "./schema-values.ts";
import type { Source } from "./schema-place.ts";
import { unenforceable } from "./unenforceable.ts";

/** A schema without alternatives and references. A value satisfies it and, where it has `excludes`, not that one. */
export interface SchemaPart extends Source {
  readonly schema: SchemaObject;
  readonly excludes?: SchemaObject;
  /** The keyword of `excludes` that only listed values can be checked against. */
  readonly undecided?: string;
  /** Made here, from what a value must not be: it names members, but does not offer them. */
  readonly isDerived?: boolean;
}

/** Parts that hold together. */
export type Conjunction = readonly SchemaPart[];

/** @throws OllamaError 400 where only listed values can be checked */
export function refuseUndecided(parts: Conjunction): void {
  for (const { undecided, path } of parts)
    if (undecided !== undefined)
      throw unenforceable("not", path, `violations of ${JSON.stringify(undecided)} cannot be detected`);
}

/** The largest of the counts that the parts ask for. @throws OllamaError 400 */
export function leastOf(parts: readonly SchemaPart[], keyword: string): number {
  return Math.max(0, ...parts.map(({ schema, path }) => countOf(schema, keyword, path) ?? 0));
}
/** The smallest of the counts that the parts allow. @throws OllamaError 400 */
export function mostOf(parts: readonly SchemaPart[], keyword: string): number | undefined {
  const counts = parts.flatMap(({ schema, path }) => countOf(schema, keyword, path) ?? []);
  return counts.length === 0 ? undefined : Math.min(...counts);
}

/** The path of the part that has the keyword. */
export const pathOfKeyword = (parts: readonly SchemaPart[], keyword: string): string =>
  (parts.find(({ schema }) => schema[keyword] !== undefined) ?? parts[0])?.path ?? "#";

/** Values of a keyword in all parts that have it. */
export const valuesOf = (parts: readonly SchemaPart[], keyword: string): { value: unknown; part: SchemaPart }[] =>
  parts.flatMap((part) => (part.schema[keyword] === undefined ? [] : [{ value: part.schema[keyword], part }]));

/** The values that a schema lists; undefined when it does not. */
export function listedValues(schema: SchemaObject): readonly unknown[] | undefined {
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? (schema["enum"] as unknown[]) : undefined;
}

/** Each schema is compared with many. */
const known = new WeakMap<SchemaObject, ReadonlySet<string>>();

/** The same as equal texts for equal values. */
export function listedTexts(schema: SchemaObject): ReadonlySet<string> | undefined {
  const values = listedValues(schema);
  if (values === undefined) return undefined;
  const texts = known.get(schema) ?? new Set(values.map(canonical));
  known.set(schema, texts);
  return texts;
}

export const allTypes = ["object", "array", "string", "number", "boolean", "null"] as const;

/** Keywords that say of which type their author thought. */
/** A type, and the keywords. */
const hints: readonly (readonly string[])[] = [
  [
    ...["object", "properties", "required", "additionalProperties", "patternProperties", "propertyNames"],
    ...["minProperties", "maxProperties"],
  ],
  [
    ...["array", "items", "prefixItems", "additionalItems", "minItems", "maxItems", "contains", "uniqueItems"],
    ...["minContains", "maxContains"],
  ],
  ["string", "pattern", "minLength", "maxLength"],
  ["number", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
];
const hintOf = (schema: SchemaObject) =>
  hints.find(([, ...keywords]) => keywords.some((keyword) => schema[keyword] !== undefined))?.[0];

const narrowed = (types: readonly string[], { schema: { type } }: SchemaPart): readonly string[] => {
  if (type === undefined) return types;
  const asked = new Set([type].flat());
  return types.flatMap((one) => {
    if (asked.has(one) || (one === "integer" && asked.has("number"))) return [one];
    return one === "number" && asked.has("integer") ? ["integer"] : [];
  });
};

/** Types that a value of all parts may have; "integer" or "number", never both. */
export function typesOfParts(parts: readonly SchemaPart[]): readonly string[] {
  const types = parts.reduce<readonly string[]>(narrowed, allTypes);
  const written = parts.filter(({ isDerived }) => isDerived !== true);
  if (written.some(({ schema }) => schema["type"] !== undefined)) return types;
  const meant = new Set(written.flatMap(({ schema }) => hintOf(schema) ?? []));
  return meant.size === 0 ? types : types.filter((type) => meant.has(type === "integer" ? "number" : type));
}

/** Schemas by name in a keyword such as `properties`. */
export const schemasIn = (schema: SchemaObject, keyword: string): Readonly<Record<string, unknown>> =>
  isObject(schema[keyword]) ? schema[keyword] : {};
