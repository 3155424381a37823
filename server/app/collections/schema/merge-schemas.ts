import { isSchemaObject, type JsonSchema, type SchemaObject } from "./schema-walk.ts";

const lowest = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]);
const highest = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]);

/** One schema that asks for what all of them ask, as far as one can be made; the caller checks what comes of it. */
export function mergeSchemas(schemas: readonly JsonSchema[]): SchemaObject {
  const merged: Record<string, unknown> = {};
  for (const schema of schemas) {
    if (!isSchemaObject(schema)) continue;
    for (const [keyword, value] of Object.entries(schema))
      merged[keyword] = keyword in merged ? both(keyword, merged[keyword], value) : value;
  }
  return merged;
}

function both(keyword: string, one: unknown, other: unknown): unknown {
  if (typeof one === "number" && typeof other === "number") {
    if (lowest.has(keyword)) return Math.min(one, other);
    if (highest.has(keyword)) return Math.max(one, other);
  }
  if (keyword === "required") return [...new Set([...(one as string[]), ...(other as string[])])];
  if (keyword === "enum") return (one as unknown[]).filter((value) => (other as unknown[]).includes(value));
  if (keyword === "type") return common(one, other);
  if (keyword === "allOf") return [...(one as JsonSchema[]), ...(other as JsonSchema[])];
  if (keyword === "properties") {
    const [first, second] = [one as SchemaObject, other as SchemaObject];
    const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
    return Object.fromEntries(names.map((name) => [name, joined(first[name], second[name])]));
  }
  return other;
}

function common(one: unknown, other: unknown): string[] {
  const [first, second] = [[one].flat() as string[], [other].flat() as string[]];
  return second.filter((type) => first.includes(type) || (type === "integer" && first.includes("number")));
}

const joined = (one: unknown, other: unknown): unknown =>
  one === undefined ? other : other === undefined ? one : { allOf: [one, other] };
