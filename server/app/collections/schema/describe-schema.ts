/**
 * A user's JSON Schema as it stands in the description of the API, where `#/$defs/…` would lead elsewhere: references are
 * replaced by what they lead to. One that leads back into itself becomes a schema that takes anything.
 */
import { isObject } from "../../../contract/is-object.ts";
import {
  annotations,
  mapSchemas,
  resolvePointer,
  typesOf,
  without,
  type JsonSchema,
  type SchemaObject,
} from "../../../json-schema/json-schema.ts";

const ownKeywords = ["$schema", "$id", "$defs", "definitions", "x-hearth", "x-faker"];
/** A schema that refers to one part twice, which refers to another twice, and so on, doubles at each step. */
const maxSchemas = 5_000;

/**
 * The schema without references. With `answered`, as replies hold it: without the members that are never answered, and
 * without demanding a member that may be null, which replies leave out.
 * @throws Error when it grows beyond all measure
 */
export function describeSchema(root: SchemaObject, { answered }: { answered: boolean }): SchemaObject {
  let count = 0;

  function describe(schema: JsonSchema, open: ReadonlySet<JsonSchema>): JsonSchema {
    if (!isObject(schema)) return schema;
    if (++count > maxSchemas) throw new Error("its references unfold to a schema that is too large to describe");
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string")
      return shaped(mapSchemas(without(schema, ...ownKeywords), (inner) => describe(inner, open)));
    const rest = describe(beside, open) as SchemaObject;
    const target = resolvePointer(root, $ref);
    if (target === undefined || open.has(target)) return rest;
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
