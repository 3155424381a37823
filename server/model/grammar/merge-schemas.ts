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
const merges: Readonly<Record<string, Merge>> = {
  required: (a, b) => [...new Set([...listOf(a), ...listOf(b)])],
  properties(a, b) {
    const merged: Record<string, unknown> = { ...(a as object) };
    for (const [name, schema] of Object.entries(b as object))
      merged[name] = name in merged ? both(merged[name], schema, "") : schema;
    return merged;
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
  enum: (a, b) => listOf(a).filter((one) => listOf(b).some((other) => JSON.stringify(other) === JSON.stringify(one))),
  items: both,
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
};
const annotations = ["title", "description", "default", "examples", "$comment", "$id", "$schema", "deprecated"];

/** @throws OllamaError 400 naming a keyword that the schemas disagree about */
export function mergeSchemas(a: JsonSchema, b: JsonSchema, path: string): JsonSchema {
  const merged: Record<string, unknown> = { ...a };
  for (const [keyword, value] of Object.entries(b)) {
    const known = merged[keyword];
    if (known === undefined || annotations.includes(keyword) || JSON.stringify(known) === JSON.stringify(value))
      merged[keyword] = value;
    else if (merges[keyword] !== undefined) merged[keyword] = merges[keyword](known, value, path);
    else throw unenforceable(keyword, path, "it is required in two ways at once");
  }
  const closed = [a, b].find((one) => one["additionalProperties"] === false);
  const other = closed === a ? b : a;
  const [inside, outside] = [closed?.["properties"] ?? {}, other["properties"] ?? {}] as [object, object];
  if (closed !== undefined && isObject(outside) && Object.keys(outside).some((name) => !(name in inside)))
    throw unenforceable("additionalProperties", path, "it forbids members that another part of the schema names");
  return merged;
}
