/**
 * Removes the members that a schema marks `"writeOnly": true`, at any depth and in any branch of the schema. In doubt
 * it removes too much (spec: Generic REST conventions 2).
 */
import { isObject } from "../../../contract/is-object.ts";
import { visitSchemas, type JsonSchema, type SchemaObject } from "../../../json-schema/json-schema.ts";
import { schemaReferences, type SchemaReferences } from "../../../json-schema/schema-references.ts";
import { createForeignPattern } from "../../../foreign/foreign-pattern.ts";
import { OutOfTimeError } from "../../../foreign/within-deadline.ts";

const branches = ["allOf", "anyOf", "oneOf"] as const;
const conditions = ["if", "then", "else"] as const;
const dependent = ["dependentSchemas", "dependencies"] as const;

/** All schemas that may apply to the same value: itself, its references, and its branches. */
function applicable(references: SchemaReferences, schemas: readonly unknown[]): SchemaObject[] {
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

/** Known names were tested with the same patterns, within the deadline. */
const patternDeadlineMs = 50;

/** In doubt it hides: when a pattern exceeds its time on a name, the name counts as matching. */
function hasName(pattern: string, name: string): boolean {
  try {
    return createForeignPattern(pattern, "u").test(name, patternDeadlineMs);
  } catch (error) {
    if (error instanceof OutOfTimeError) return true;
    throw error;
  }
}

function ofMember(schema: SchemaObject, name: string): unknown[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  const patterned = isObject(patternProperties)
    ? Object.entries(patternProperties).filter(([pattern]) => hasName(pattern, name))
    : [];
  return [
    isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined,
    ...patterned.map(([, one]) => one),
    additionalProperties,
    unevaluatedProperties,
  ];
}
const ofItem = ({ items, prefixItems, contains, unevaluatedItems }: SchemaObject): unknown[] => [
  items,
  contains,
  unevaluatedItems,
  ...(Array.isArray(prefixItems) ? (prefixItems as JsonSchema[]) : []),
];

const isSecret = (schemas: readonly SchemaObject[]) => schemas.some(({ writeOnly }) => writeOnly === true);

function hidden(references: SchemaReferences, value: unknown, schemas: readonly SchemaObject[]): unknown {
  if (Array.isArray(value)) {
    const inside = applicable(references, schemas.flatMap(ofItem));
    return isSecret(inside) ? [] : value.map((item) => hidden(references, item, inside));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inside = applicable(
        references,
        schemas.flatMap((schema) => ofMember(schema, name)),
      );
      return isSecret(inside) ? [] : [[name, hidden(references, member, inside)]];
    }),
  );
}

/** Makes a function that returns an item without its secrets; undefined when the schema has none. */
export function secretHider(
  root: SchemaObject,
): ((item: Readonly<Record<string, unknown>>) => Record<string, unknown>) | undefined {
  let any = false;
  visitSchemas(root, ({ writeOnly }) => (any ||= writeOnly === true));
  if (!any) return undefined;
  const references = schemaReferences(root);
  const schemas = applicable(references, [root]);
  return (item) => hidden(references, item, schemas) as Record<string, unknown>;
}

/** Names of the item's own secret members. */
export function secretMembers(root: SchemaObject, names: readonly string[]): string[] {
  const references = schemaReferences(root);
  const schemas = applicable(references, [root]);
  return names.filter((name) =>
    isSecret(
      applicable(
        references,
        schemas.flatMap((schema) => ofMember(schema, name)),
      ),
    ),
  );
}
