/** JSON Schema as a tree: the types of a schema, its member schemas, and the targets of references. */
import { isObject } from "../contract/is-object.ts";
import { percentDecoded } from "../contract/percent-decoded.ts";

export type JsonSchema = boolean | SchemaObject;
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

/** Keywords without constraints. They do not narrow a reference. */
export const annotations: ReadonlySet<string> = new Set(
  [
    ["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"],
    ["$id", "$schema", "$defs", "definitions"],
  ].flat(),
);

/** Whether the keywords of a schema may refuse a value. */
export const narrows = (schema: JsonSchema): boolean =>
  isObject(schema) ? Object.keys(schema).some((keyword) => !annotations.has(keyword)) : !schema;

export const withoutKeywords = (schema: SchemaObject, ...keywords: readonly string[]): SchemaObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

/** The schemas of an object's members by name. */
export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (isObject(schema) && isObject(schema["properties"]) ? schema["properties"] : {}) as Record<string, JsonSchema>;

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** The types that a schema names directly or by its values; none if it does not restrict them. */
export function ownTypesOf({ type, const: value, enum: values }: SchemaObject): string[] {
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type as string[];
  if (value !== undefined) return [typeOf(value)];
  return Array.isArray(values) ? values.map(typeOf) : [];
}

/** The types that a schema allows; none if it does not restrict them. */
export function typesOf(schema: JsonSchema): string[] {
  if (!isObject(schema)) return [];
  const own = ownTypesOf(schema);
  if (own.length > 0) return own;
  const { anyOf, oneOf, allOf } = schema;
  const nested = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []));
  return nested.flatMap(typesOf);
}

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
const maps = new Set(["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"]);

/** The schema with each directly contained schema replaced by the result of `change`. */
export function mapSchemas(schema: SchemaObject, change: (inner: JsonSchema) => JsonSchema): SchemaObject {
  const changed = Object.entries(schema).map(([keyword, value]) => {
    if (single.has(keyword)) return [keyword, change(value as JsonSchema)];
    if (lists.has(keyword) && Array.isArray(value)) return [keyword, (value as JsonSchema[]).map(change)];
    if (maps.has(keyword) && isObject(value))
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one as JsonSchema)])),
      ];
    return [keyword, value];
  });
  return Object.fromEntries(changed) as SchemaObject;
}

/** Keywords that hold values, not schemas. */
export const ofValues: ReadonlySet<string> = new Set(["const", "default", "enum", "examples", "example"]);

/** The keywords of a schema without those that are null. Only two keywords may have null as a value. */
const withoutNullKeywords = (schema: SchemaObject): SchemaObject =>
  Object.fromEntries(
    Object.entries(schema).filter(([keyword, value]) => value !== null || keyword === "const" || keyword === "default"),
  );

/**
 * A copy without keywords that are null, which serialisers write for missing ones. Without recursion, because a schema
 * may be nested deeper than the stack.
 */
export function withoutNulls(schema: SchemaObject): SchemaObject {
  const whole = { schema };
  const left: { holder: object; isSchema: boolean }[] = [{ holder: whole, isSchema: false }];
  for (const { holder, isSchema } of left)
    for (const [name, inner] of Object.entries(holder) as [string, unknown][]) {
      const isList = Array.isArray(inner);
      if ((!isList && !isObject(inner)) || (isSchema && ofValues.has(name))) continue;
      const isInner = !isList && !(isSchema && maps.has(name));
      const copy = isList ? [...(inner as unknown[])] : isInner ? withoutNullKeywords(inner) : { ...inner };
      Reflect.set(holder, name, copy);
      left.push({ holder: copy, isSchema: isInner });
    }
  return whole.schema;
}

/** The contained schemas of a schema, with the path to each. */
export function containedIn(schema: SchemaObject): [path: readonly string[], inner: unknown][] {
  return Object.entries(schema).flatMap(([keyword, value]): [readonly string[], unknown][] => {
    if (single.has(keyword)) return [[[keyword], value]];
    if (!(lists.has(keyword) && Array.isArray(value)) && !(maps.has(keyword) && isObject(value))) return [];
    return Object.entries(value).map(([name, one]) => [[keyword, name], one]);
  });
}

/** Calls `visit` for the schema and every contained schema, with the path to each. */
export function visitSchemas(
  schema: unknown,
  visit: (schema: SchemaObject, path: readonly string[]) => void,
  path: readonly string[] = [],
): void {
  if (!isObject(schema)) return;
  visit(schema, path);
  for (const [way, inner] of containedIn(schema)) visitSchemas(inner, visit, [...path, ...way]);
}

/** The target of `#/a/b` within a schema; undefined when it does not exist. */
export function resolvePointer(root: unknown, reference: string): JsonSchema | undefined {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  let node = root;
  for (const step of reference.split("/").slice(1)) {
    const name = percentDecoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return undefined;
    node = (node as Record<string, unknown>)[name];
  }
  return typeof node === "boolean" || isObject(node) ? node : undefined;
}

/** Whether a value has a member that programs would take for a reference. */
export const hasReference = (value: unknown): boolean =>
  typeof value === "object" && value !== null && JSON.stringify(value).includes('"$ref":');
