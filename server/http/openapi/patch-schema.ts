/** Describes merge patches (RFC 7396) of the values that a schema describes. */
import { isObject } from "../../contract/is-object.ts";
import {
  narrows,
  ownTypesOf,
  propertiesOf,
  withoutKeywords,
  type JsonSchema,
  type SchemaObject,
} from "../../json-schema/json-schema.ts";
import { withoutDefault } from "./defaults.ts";
import type { OpenApiObject, SchemaBook } from "./schema-book.ts";

/** Keywords about a whole object. A patch has only the members that change. */
const ofWholes = [
  ...["$ref", "const", "enum", "required", "minProperties", "maxProperties", "unevaluatedProperties"],
  ...["dependentRequired", "dependentSchemas", "dependencies", "not", "if", "then", "else", "oneOf", "allOf"],
];

/** Null removes a member. */
const orNull = (schema: JsonSchema): JsonSchema => (isObject(schema) ? { anyOf: [schema, { type: "null" }] } : schema);

const listOf = (value: unknown) => (Array.isArray(value) ? (value as JsonSchema[]) : []);

/**
 * The schema of patches: objects may lack members, and null stands for those that are not required. What a patch replaces
 * whole, such as a list, keeps its schema.
 */
export function patchSchema(written: OpenApiObject, book: SchemaBook): OpenApiObject {
  function patch(schema: JsonSchema): JsonSchema {
    if (!isObject(schema)) return schema;
    const target = book.resolve(schema);
    const types = ownTypesOf(target);
    if (types.length > 0 && !types.includes("object")) return withoutDefault(schema);
    const { $ref } = schema;
    const beside = withoutDefault(withoutKeywords(schema, "$ref"));
    if (typeof $ref === "string") {
      const name = `${$ref.replace(/^.*[/]/s, "")}Patch`;
      return { ...book.define(name, () => patched(target)), ...beside };
    }
    return patched(schema);
  }

  function patched(schema: SchemaObject): OpenApiObject {
    const node = withoutDefault(schema);
    const { required = [], patternProperties, additionalProperties, allOf, anyOf, oneOf } = node;

    const member = ([name, one]: [string, JsonSchema]) =>
      [name, (required as string[]).includes(name) ? patch(one) : orNull(patch(one))] as const;
    const [choice, ...choices] = [anyOf, oneOf]
      .map((branches) => listOf(branches).map((one) => openedBranch(patch(one))))
      .filter((branches) => branches.length > 0 && branches.every(narrows));
    const all = [...listOf(allOf).map(patch).filter(narrows), ...choices.map((one) => ({ anyOf: one }))];
    return {
      ...withoutKeywords(node, "anyOf", ...ofWholes),
      ...(isObject(node["properties"]) && {
        properties: Object.fromEntries(Object.entries(propertiesOf(node)).map(member)),
      }),
      ...(isObject(patternProperties) && {
        patternProperties: Object.fromEntries(
          Object.entries(patternProperties as Record<string, JsonSchema>).map(member),
        ),
      }),
      ...(isObject(additionalProperties) && { additionalProperties: orNull(patch(additionalProperties)) }),
      ...(choice && { anyOf: choice }),
      ...(all.length > 0 && { allOf: all }),
    };
  }

  /** A patch that leads from one alternative to another removes members that only the former has. */
  const openedBranch = (branch: JsonSchema) =>
    isObject(branch) ? withoutKeywords(branch, "additionalProperties") : branch;

  return patched(written);
}
