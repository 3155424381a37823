/** One schema for several that must hold together (`allOf`, and keywords beside `anyOf` or `$ref`). */
import { isObject } from "../../contract/is-object.ts";
import type { JsonSchema } from "../chat-completion.ts";
import { unenforceable } from "./unenforceable.ts";

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

type Merge = (a: unknown, b: unknown, path: string) => unknown;

const larger: Merge = (a, b) => Math.max(Number(a), Number(b));
const smaller: Merge = (a, b) => Math.min(Number(a), Number(b));
const both: Merge = (a, b) => (JSON.stringify(a) === JSON.stringify(b) ? a : { allOf: [a, b] });

/** How keywords that both schemas have become one. */
const merges = new Map<string, Merge>(
  Object.entries({
    required: (a, b) => [...new Set([...listOf(a), ...listOf(b)])],
    properties(a, b, path) {
      if (!isObject(a) || !isObject(b)) throw unenforceable("properties", path, "it must be an object");
      const merged = new Map<string, unknown>(Object.entries(a));
      for (const [name, schema] of Object.entries(b))
        merged.set(name, merged.has(name) ? both(merged.get(name), schema, "") : schema);
      return Object.fromEntries(merged);
    },
    type(a, b, path) {
      const types = listOf(a).flatMap((one) => {
        if (listOf(b).includes(one)) return [one];
        return one === "number" && listOf(b).includes("integer") ? ["integer"] : [];
      });
      if (types.length === 0 && listOf(a).includes("integer") && listOf(b).includes("number")) return "integer";
      if (types.length === 0) throw unenforceable("type", path, "no value has all of these types");
      return types;
    },
    enum(a, b) {
      const others = new Set(listOf(b).map((one) => JSON.stringify(one)));
      return listOf(a).filter((one) => others.has(JSON.stringify(one)));
    },
    items: both,
    minimum: larger,
    exclusiveMinimum: larger,
    minLength: larger,
    minItems: larger,
    maximum: smaller,
    exclusiveMaximum: smaller,
    maxLength: smaller,
    maxItems: smaller,
  }),
);
const annotations = ["title", "description", "default", "examples", "$comment", "$id", "$schema", "deprecated"];

/** @throws OllamaError 400 naming a keyword that the schemas disagree about */
export function mergeSchemas(a: JsonSchema, b: JsonSchema, path: string): JsonSchema {
  // Names come from strangers: an object would take some of them for its own.
  const merged = new Map<string, unknown>(Object.entries(a));
  for (const [keyword, value] of Object.entries(b)) {
    const known = merged.get(keyword);
    const merge = merges.get(keyword);
    if (known === undefined || annotations.includes(keyword) || JSON.stringify(known) === JSON.stringify(value))
      merged.set(keyword, value);
    else if (merge !== undefined) merged.set(keyword, merge(known, value, path));
    else throw unenforceable(keyword, path, "it is required in two ways at once");
  }
  const closed = [a, b].find((one) => one["additionalProperties"] === false);
  const other = closed === a ? b : a;
  const [inside, outside] = [closed?.["properties"] ?? {}, other["properties"] ?? {}] as [object, object];
  if (closed !== undefined && isObject(outside) && Object.keys(outside).some((name) => !Object.hasOwn(inside, name)))
    throw unenforceable("additionalProperties", path, "it forbids members that another part of the schema names");
  return Object.fromEntries(merged);
}
