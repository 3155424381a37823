/** Finds the schemas that apply to a value, a member of an object or an item of a list, in any branch of a schema. */
import { isObject } from "../contract/is-object.ts";
import type { JsonSchema, SchemaObject } from "./json-schema.ts";
import type { SchemaReferences } from "./schema-references.ts";

const branches = ["allOf", "anyOf", "oneOf"] as const;
const conditions = ["if", "then", "else"] as const;
const dependent = ["dependentSchemas", "dependencies"] as const;

/** All schemas that may apply to the same value: itself, its references, and its branches. */
export function applicable(references: SchemaReferences, schemas: readonly unknown[]): SchemaObject[] {
  const seen = new Set<SchemaObject>();
  const open = [...schemas];
  while (open.length > 0) {
    const schema = open.pop();
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const { $ref, $dynamicRef } = schema;
    if (typeof $ref === "string") open.push(references.target(schema, $ref));
    if (typeof $dynamicRef === "string") open.push(...references.dynamicTargets(schema, $dynamicRef));
    for (const keyword of branches) if (Array.isArray(schema[keyword])) open.push(...(schema[keyword] as JsonSchema[]));
    for (const keyword of conditions) open.push(schema[keyword]);
    for (const keyword of dependent) if (isObject(schema[keyword])) open.push(...Object.values(schema[keyword]));
  }
  return [...seen];
}

/** The schemas of a member: the one of its name, those of patterns of names, and those of members without either. */
export function schemasOfMember(schema: SchemaObject, name: string) {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  return {
    named: isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
    patterned: isObject(patternProperties) ? Object.entries(patternProperties) : [],
    others: [additionalProperties, unevaluatedProperties],
  };
}

/** The schemas of a list's items: those of the first ones, by their places, and those of others. */
export function schemasOfItem({ items, prefixItems, contains, unevaluatedItems }: SchemaObject) {
  const first = Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [];
  return { first, others: [items, contains, unevaluatedItems] as unknown[] };
}
