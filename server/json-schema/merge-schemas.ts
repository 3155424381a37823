import { isObject } from "../contract/is-object.ts";
import { annotations, type SchemaObject } from "./json-schema.ts";

type Merge = (one: unknown, other: unknown) => unknown;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const largest: Merge = (one, other) => Math.max(Number(one), Number(other));
const smallest: Merge = (one, other) => Math.min(Number(one), Number(other));
const allOf: Merge = (one, other) => (isSame(one, other) ? one : { allOf: [one, other] });

/** Merges a keyword that both schemas have. Undefined: no value satisfies both, or one of them is invalid. */
const merges = new Map<string, Merge>(
  Object.entries({
    required: (one, other) => [...new Set([...listOf(one), ...listOf(other)])],
    properties(one, other) {
      if (!isObject(one) || !isObject(other)) return undefined;
      const merged = new Map<string, unknown>(Object.entries(one));
      for (const [name, schema] of Object.entries(other))
        merged.set(name, merged.has(name) ? allOf(merged.get(name), schema) : schema);
      return Object.fromEntries(merged);
    },
    type(one, other) {
      const [first, second] = [listOf(one), listOf(other)];
      const types = first.flatMap((type) => {
        if (second.includes(type)) return [type];
        const isWhole =
          type === "number" ? second.includes("integer") : type === "integer" && second.includes("number");
        return isWhole ? ["integer"] : [];
      });
      return types.length === 0 ? undefined : types;
    },
    enum(one, other) {
      const others = new Set(listOf(other).map((value) => JSON.stringify(value)));
      return listOf(one).filter((value) => others.has(JSON.stringify(value)));
    },
    items: allOf,
    minimum: largest,
    exclusiveMinimum: largest,
    minLength: largest,
    minItems: largest,
    minProperties: largest,
    maximum: smallest,
    exclusiveMaximum: smallest,
    maxLength: smallest,
    maxItems: smallest,
    maxProperties: smallest,
  }),
);

/**
 * One schema with the requirements of both. `conflict` returns the result for a keyword whose values cannot be merged.
 */
export function mergeSchemas(
  one: SchemaObject,
  other: SchemaObject,
  conflict: (keyword: string, one: unknown, other: unknown) => unknown,
): SchemaObject {
  // Names come from strangers; some would clash with an object's own properties.
  const merged = new Map<string, unknown>(Object.entries(one));
  for (const [keyword, value] of Object.entries(other)) {
    const known = merged.get(keyword);
    if (known === undefined || annotations.has(keyword) || isSame(known, value)) merged.set(keyword, value);
    else merged.set(keyword, merges.get(keyword)?.(known, value) ?? conflict(keyword, known, value));
  }
  return Object.fromEntries(merged);
}
