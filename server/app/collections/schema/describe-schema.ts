/**
 * Turns a user's JSON Schema into one that is whole by itself wherever it stands: a reference to a scalar is replaced by its
 * target, any other leads to `#/$defs/…`, whatever it led to before. A dynamic one becomes a schema that allows anything.
 */
import { isObject } from "../../../contract/is-object.ts";
import {
  containedIn,
  mapSchemas,
  narrows,
  ownTypesOf,
  visitSchemas,
  withoutKeywords,
  type JsonSchema,
  type SchemaObject,
} from "../../../json-schema/json-schema.ts";
import { schemaReferences, type SchemaReferences } from "../../../json-schema/schema-references.ts";
import { answeredSchema } from "./answered-schema.ts";

const ownKeywords = [
  ...["$schema", "$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$defs", "definitions", "x-hearth", "x-faker"],
];

/** OpenAPI's older word for a type that null belongs to. */
function withNull({ nullable, ...schema }: SchemaObject): SchemaObject {
  const types = [schema["type"] ?? []].flat();
  return nullable === true && types.length > 0 ? { ...schema, type: [...new Set([...types, "null"])] } : schema;
}

/** The most schemas of a scalar that a description repeats at each place of it. */
const mostRepeated = 30;

/** Whether a schema is of scalars alone, and short. */
function isShortScalar(schema: JsonSchema, references: SchemaReferences): boolean {
  const open: JsonSchema[] = [schema];
  for (const one of open) {
    if (!isObject(one)) continue;
    const types = ownTypesOf(one);
    const { $ref } = one;
    if (types.includes("object") || types.includes("array") || open.length > mostRepeated) return false;
    if (isObject(one["properties"]) || one["items"] !== undefined || one["$dynamicRef"] !== undefined) return false;
    const target = typeof $ref === "string" ? references.target(one, $ref) : true;
    if (typeof target === "string" || open.includes(target)) return false;
    open.push(target, ...containedIn(one).map(([, inner]) => inner as JsonSchema));
  }
  return true;
}

const nameIn = (reference: string) => reference.replace(/^.*[/#]/s, "").replace(/[^A-Za-z0-9]+/g, "") || "Item";

/** With `answered`, in the form of replies: without secrets. */
export function describeSchema(root: SchemaObject, { answered }: { answered: boolean }): SchemaObject {
  const references = schemaReferences(root);
  let hasSecrets = false;
  visitSchemas(root, ({ writeOnly }) => (hasSecrets ||= writeOnly === true));
  const shaped = (schema: SchemaObject) => (answered && hasSecrets ? answeredSchema(schema, references) : schema);
  const names = new Map<JsonSchema, string>();
  const defs = new Map<string, JsonSchema>();

  /** The name of a target, which is described once. */
  function nameOf(target: SchemaObject, reference: string): string {
    const known = names.get(target);
    if (known !== undefined) return known;
    const base = nameIn(reference);
    let name = base;
    for (let count = 2; defs.has(name); count++) name = `${base}${String(count)}`;
    names.set(target, name);
    defs.set(name, true);
    defs.set(name, describe(target));
    return name;
  }

  function describe(schema: JsonSchema): JsonSchema {
    if (!isObject(schema)) return schema;
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string")
      return mapSchemas(withNull(withoutKeywords(shaped(schema), ...ownKeywords)), describe);
    const rest = describe(beside) as SchemaObject;
    const target = references.target(schema, $ref);
    if (typeof target === "string" || target === true) return rest;
    if (target === false) return false;
    const led = isShortScalar(target, references) ? describe(target) : { $ref: `#/$defs/${nameOf(target, $ref)}` };
    if (!isObject(led)) return led ? rest : led;
    return narrows(rest) ? { allOf: [led], ...rest } : { ...led, ...rest };
  }

  const described = describe(root) as SchemaObject;
  return defs.size === 0 ? described : { ...described, $defs: Object.fromEntries(defs) };
}
