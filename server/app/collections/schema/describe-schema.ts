/**
 * Turns a user's JSON Schema into one for the API description, where `#/$defs/…` would point elsewhere: references are
 * replaced by their targets. A recursive or dynamic one becomes a schema that allows anything.
 */
import { isObject } from "../../../contract/is-object.ts";
import {
  annotations,
  mapSchemas,
  typesOf,
  without,
  type JsonSchema,
  type SchemaObject,
} from "../../../json-schema/json-schema.ts";
import { schemaReferences } from "../../../json-schema/schema-references.ts";

const ownKeywords = [
  ...["$schema", "$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$defs", "definitions", "x-hearth", "x-faker"],
];
/**
 * Limits the result: a schema that refers to a part twice, which refers to another twice, and so on, doubles at each
 * step.
 */
const maxSchemas = 5_000;

/**
 * The schema without references. With `answered`, in the form of replies: without secret members, and without requiring
 * a nullable member, which replies leave out.
 * @throws Error when it grows too large
 */
export function describeSchema(root: SchemaObject, { answered }: { answered: boolean }): SchemaObject {
  const references = schemaReferences(root);
  let count = 0;

  function describe(schema: JsonSchema, open: ReadonlySet<JsonSchema>): JsonSchema {
    if (!isObject(schema)) return schema;
    if (++count > maxSchemas) throw new Error("its references unfold to a schema that is too large to describe");
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string")
      return shaped(mapSchemas(without(schema, ...ownKeywords), (inner) => describe(inner, open)));
    const rest = describe(beside, open) as SchemaObject;
    const target = references.target(schema, $ref);
    if (typeof target === "string" || open.has(target)) return rest;
    const led = describe(target, new Set([...open, target]));
    if (!isObject(led)) return led ? rest : led;
    const narrows = Object.keys(rest).some((keyword) => !annotations.has(keyword));
    return narrows ? { allOf: [led], ...rest } : { ...led, ...rest };
  }

  function shaped(schema: SchemaObject): SchemaObject {
    const { properties, required } = schema;
    if (!answered || !isObject(properties)) return schema;
    const kept = Object.entries(properties).filter(([, one]) => !isObject(one) || one["writeOnly"] !== true);
    const view = Object.fromEntries(kept) as Record<string, JsonSchema>;
    const demanded = ((required ?? []) as string[]).filter((name) => {
      const one = view[name];
      return name in properties ? one !== undefined && !typesOf(one).includes("null") : true;
    });
    return { ...schema, properties: view, ...(required !== undefined && { required: demanded }) };
  }

  return describe(root, new Set([root])) as SchemaObject;
}
