/** What a schema still says of answers, which leave out secret members, secret items and members that are null. */
import { isObject } from "../../../contract/is-object.ts";
import { applicable, schemasOfItem } from "../../../json-schema/applicable-schemas.ts";
import {
  narrows,
  ownTypesOf,
  withoutKeywords,
  type JsonSchema,
  type SchemaObject,
} from "../../../json-schema/json-schema.ts";
import type { SchemaReferences } from "../../../json-schema/schema-references.ts";

/** Keywords that may not hold any more once members are left out, here or further inside. */
const ofWholes = [
  ...["minProperties", "dependentRequired", "dependencies", "unevaluatedProperties", "unevaluatedItems"],
  ...["not", "if", "then", "else", "maxContains"],
];
/** The same for items. */
const ofLists = ["minItems", "contains", "minContains"];

const listOf = (value: unknown) => (Array.isArray(value) ? (value as JsonSchema[]) : []);

/** Whether nothing can be left out of its values. */
function isScalar(schema: unknown): boolean {
  const types = isObject(schema) ? ownTypesOf(schema) : [];
  return types.length > 0 && !types.includes("object") && !types.includes("array");
}

/** Whether it allows no null, as far as it says so. */
function excludesNull(schema: JsonSchema): boolean {
  if (!isObject(schema)) return !schema;
  const { enum: values, allOf, anyOf, oneOf } = schema;
  const own = ownTypesOf(schema);
  return (
    (own.length > 0 && !own.includes("null")) ||
    (Array.isArray(values) && !values.includes(null)) ||
    listOf(allOf).some(excludesNull) ||
    [anyOf, oneOf].some((branches) => listOf(branches).length > 0 && listOf(branches).every(excludesNull))
  );
}

/** @param schema without references; the schemas in it are in the form of answers already */
export function answeredSchema(schema: SchemaObject, references: SchemaReferences): SchemaObject {
  if (isScalar(schema)) return schema;
  const isSecret = (one: unknown) => applicable(references, [one]).some(({ writeOnly }) => writeOnly === true);
  const { first, others } = schemasOfItem(schema);
  const { anyOf, oneOf, items, required, uniqueItems, ...rest } = withoutKeywords(
    schema,
    ...ofWholes,
    ...([...first, ...others].some(isSecret) ? ofLists : []),
  );
  const { properties, patternProperties, additionalProperties = true } = rest as Record<string, JsonSchema | undefined>;
  const known = new Map(Object.entries((properties ?? {}) as Record<string, JsonSchema>));
  const unnamed = patternProperties === undefined ? additionalProperties : true;
  const demanded = ((required ?? []) as string[]).filter((name) => {
    const member = known.get(name) ?? unnamed;
    return excludesNull(member) && !isSecret(member);
  });
  // Alternatives that differ in what is left out are no longer exclusive.
  const choices = [anyOf, oneOf].map(listOf).filter((branches) => branches.length > 0 && branches.every(narrows));
  return {
    ...rest,
    ...(known.size > 0 && { properties: Object.fromEntries([...known].filter(([, one]) => !isSecret(one))) }),
    ...(demanded.length > 0 && { required: demanded }),
    ...(items !== undefined && { items }),
    ...(uniqueItems !== undefined && isScalar(items) && { uniqueItems }),
    ...(choices[0] && { anyOf: choices[0] }),
    ...(choices[1] && { allOf: [...listOf(rest["allOf"]), { anyOf: choices[1] }] }),
  };
}
