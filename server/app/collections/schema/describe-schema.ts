/**
 * Turns a user's JSON Schema into one for the API description, where `#/$defs/…` would point elsewhere: references are
 * replaced by their targets. A recursive or dynamic one becomes a schema that allows anything.
 */
import { SchemaError } from "./schema-error.ts";
import { message } from "../../../contract/messages/message.ts";
import { isObject } from "../../../contract/is-object.ts";
import {
  mapSchemas,
  narrows,
  withoutKeywords,
  type JsonSchema,
  type SchemaObject,
} from "../../../json-schema/json-schema.ts";
import { schemaReferences } from "../../../json-schema/schema-references.ts";
import { answeredSchema } from "./answered-schema.ts";

const ownKeywords = [
  ...["$schema", "$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$defs", "definitions", "x-hearth", "x-faker"],
];
/**
 * Limits the result: a schema that refers to a part twice, which refers to another twice, and so on, doubles at each
 * step.
 */
const maxSchemas = 5_000;

/** OpenAPI's older word for a type that null belongs to. */
function withNull({ nullable, ...schema }: SchemaObject): SchemaObject {
  const types = [schema["type"] ?? []].flat();
  return nullable === true && types.length > 0 ? { ...schema, type: [...new Set([...types, "null"])] } : schema;
}

/**
 * The schema without references. With `answered`, in the form of replies.
 * @throws Error when it grows too large
 */
export function describeSchema(root: SchemaObject, { answered }: { answered: boolean }): SchemaObject {
  const references = schemaReferences(root);
  const shaped = (schema: SchemaObject) => (answered ? answeredSchema(schema, references) : schema);
  let count = 0;

  function describe(schema: JsonSchema, open: ReadonlySet<JsonSchema>): JsonSchema {
    if (!isObject(schema)) return schema;
    if (++count > maxSchemas) throw new SchemaError(message("schema.unfolds"), []);
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string")
      return shaped(mapSchemas(withNull(withoutKeywords(schema, ...ownKeywords)), (inner) => describe(inner, open)));
    const rest = describe(beside, open) as SchemaObject;
    const target = references.target(schema, $ref);
    if (typeof target === "string" || open.has(target)) return rest;
    const led = describe(target, new Set([...open, target]));
    if (!isObject(led)) return led ? rest : led;
    return narrows(rest) ? { allOf: [led], ...rest } : { ...led, ...rest };
  }

  return describe(root, new Set([root])) as SchemaObject;
}
