/** The rest of a schema that holds for answers, which leave out secret members and secret items. */
import { isObject } from "../../../contract/is-object.ts";
import { applicable, schemasOfItem } from "../../../json-schema/applicable-schemas.ts";
import {
  ownTypesOf,
  propertiesOf,
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

/** The schema by itself; the schemas in it are still those of the input. */
export function answeredSchema(schema: SchemaObject, references: SchemaReferences): SchemaObject {
  if (isScalar(schema)) return schema;
  const isSecret = (one: unknown) => applicable(references, [one]).some(({ writeOnly }) => writeOnly === true);
  const { first, others } = schemasOfItem(schema);
  const { anyOf, oneOf, required, uniqueItems, ...rest } = withoutKeywords(
    schema,
    ...ofWholes,
    ...([...first, ...others].some(isSecret) ? ofLists : []),
  );
  const { items } = rest;
  const known = new Map(Object.entries(propertiesOf(schema)));
  // A branch does not tell whether the members that it only demands are secret.
  const demanded = ((required ?? []) as string[]).filter((name) => known.has(name) && !isSecret(known.get(name)));
  // Alternatives that differ in what is left out are no longer exclusive.
  const choices = listOf(oneOf);
  return {
    ...rest,
    ...(known.size > 0 && { properties: Object.fromEntries([...known].filter(([, one]) => !isSecret(one))) }),
    ...(demanded.length > 0 && { required: demanded }),
    ...(uniqueItems !== undefined && isScalar(items) && { uniqueItems }),
    ...(anyOf !== undefined && { anyOf }),
    ...(choices.length > 0 && { allOf: [...listOf(rest["allOf"]), { anyOf: choices }] }),
  };
}
