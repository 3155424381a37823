/** JSON Schema as a tree: which of a schema's members are schemas themselves, and where a reference leads. */

export type JsonSchema = boolean | SchemaObject;
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const single = new Set([
  "items",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "propertyNames",
  "contains",
  "contentSchema",
  "not",
  "if",
  "then",
  "else",
]);
const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const maps = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);

/** The schema with each schema directly inside it replaced by what `change` makes of it. */
export function mapSchemas(schema: SchemaObject, change: (inner: JsonSchema) => JsonSchema): SchemaObject {
  const changed = Object.entries(schema).map(([keyword, value]) => {
    if (single.has(keyword)) return [keyword, change(value as JsonSchema)];
    if (lists.has(keyword) && Array.isArray(value)) return [keyword, (value as JsonSchema[]).map(change)];
    if (maps.has(keyword) && isSchemaObject(value))
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one as JsonSchema)])),
      ];
    return [keyword, value];
  });
  return Object.fromEntries(changed) as SchemaObject;
}

/** Calls `visit` with the schema and every schema inside it, and with the path that leads to each. */
export function visitSchemas(
  schema: unknown,
  visit: (schema: SchemaObject, path: readonly string[]) => void,
  path: readonly string[] = [],
): void {
  if (!isSchemaObject(schema)) return;
  visit(schema, path);
  for (const [keyword, value] of Object.entries(schema)) {
    if (single.has(keyword)) visitSchemas(value, visit, [...path, keyword]);
    else if ((lists.has(keyword) && Array.isArray(value)) || (maps.has(keyword) && isSchemaObject(value)))
      for (const [name, one] of Object.entries(value)) visitSchemas(one, visit, [...path, keyword, name]);
  }
}

/** Where `#/a/b` leads within a schema; undefined when it leads nowhere. */
export function resolvePointer(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let node: unknown = root;
  for (const step of reference.split("/").slice(1)) {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return undefined;
    node = (node as Record<string, unknown>)[name];
  }
  return typeof node === "boolean" || isSchemaObject(node) ? node : undefined;
}
