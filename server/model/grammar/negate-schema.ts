/** Negates a schema: alternatives, one of which every value satisfies that does not satisfy it, and which a grammar can express. */
import { isObject } from "../../contract/is-object.ts";
import { annotations, type SchemaObject } from "../../json-schema/json-schema.ts";
import { allTypes } from "./schema-parts.ts";

/** A schema that such a value satisfies, and one of a few keywords that it does not. */
export interface Negation {
  readonly schema: SchemaObject;
  readonly excludes?: SchemaObject;
}

const not = (schema: unknown): SchemaObject => ({ not: schema });
const all = (...schemas: readonly unknown[]): Negation => ({ schema: { allOf: schemas } });
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberBeyond = (keyword: string, value: unknown): Negation => ({ schema: { type: "number", [keyword]: value } });
const countBeyond = (type: string, keyword: string, value: unknown, by: 1 | -1): Negation[] => {
  const count = Number(value) + by;
  return count < 0 ? [] : [{ schema: { type, [keyword]: count } }];
};

const containing = (contains: unknown, minContains: number, maxContains?: number): Negation => ({
  schema: { type: "array", contains, minContains, ...(maxContains !== undefined && { maxContains }) },
});

function otherTypes(type: unknown): Negation[] {
  const types = new Set([type].flat());
  const others = allTypes.filter((one) => !types.has(one) && !(one === "number" && types.has("integer")));
  return [
    ...(others.length === 0 ? [] : [{ schema: { type: others } }]),
    ...(types.has("integer") && !types.has("number")
      ? [{ schema: { type: "number" }, excludes: { type: "integer" } }]
      : []),
  ];
}

function notExactlyOne(schemas: readonly unknown[]): Negation[] {
  const pairs = schemas.flatMap((one, at) => schemas.slice(at + 1).map((other) => all(one, other)));
  return [all(...schemas.map(not)), ...pairs];
}

type Negate = (value: unknown, schema: SchemaObject) => readonly Negation[];
/**
 * By keyword: the values that break it. A keyword that is not here cannot be told: what breaks only that is left out of the
 * alternatives, so that an answer may be less than what is allowed, never more.
 */
const negations = new Map<string, Negate>(
  Object.entries({
    type: otherTypes,
    const: (value) => [{ schema: {}, excludes: { enum: [value] } }],
    enum: (values) => [{ schema: {}, excludes: { enum: listOf(values) } }],
    allOf: (schemas) => listOf(schemas).map((one) => ({ schema: not(one) })),
    anyOf: (schemas) => [all(...listOf(schemas).map(not))],
    oneOf: (schemas) => notExactlyOne(listOf(schemas)),
    not: (schema) => [all(schema)],
    if: (condition, schema) => [
      ...("then" in schema ? [all(condition, not(schema["then"]))] : []),
      ...("else" in schema ? [all(not(condition), not(schema["else"]))] : []),
    ],
    required: (names) =>
      listOf(names).map((name) => ({ schema: { type: "object", properties: { [String(name)]: false } } })),
    properties: (members) =>
      Object.entries(isObject(members) ? members : {}).flatMap(([name, member]) =>
        member === true ? [] : [{ schema: { type: "object", required: [name], properties: { [name]: not(member) } } }],
      ),
    dependentRequired: (dependencies) =>
      Object.entries(isObject(dependencies) ? dependencies : {}).flatMap(([name, others]) =>
        listOf(others).map((other) => ({
          schema: { type: "object", required: [name], properties: { [String(other)]: false } },
        })),
      ),
    dependentSchemas: (dependencies) =>
      Object.entries(isObject(dependencies) ? dependencies : {}).map(([name, schema]) =>
        all({ type: "object", required: [name] }, not(schema)),
      ),
    minProperties: (count) => countBeyond("object", "maxProperties", count, -1),
    maxProperties: (count) => countBeyond("object", "minProperties", count, 1),
    items: (item, { prefixItems }) =>
      prefixItems === undefined && !Array.isArray(item) ? [{ schema: { type: "array", contains: not(item) } }] : [],
    prefixItems: (items) =>
      listOf(items).map((item, at) => ({
        schema: {
          type: "array",
          minItems: at + 1,
          prefixItems: [...Array.from({ length: at }, () => true), not(item)],
          items: true,
        },
      })),
    contains: (item, { minContains: least = 1, maxContains: most }) => [
      ...(least === 1 ? [{ schema: { type: "array", items: not(item) } }] : []),
      ...(Number(least) > 1 ? [containing(item, 0, Number(least) - 1)] : []),
      ...(most === undefined ? [] : [containing(item, Number(most) + 1)]),
    ],
    minItems: (count) => countBeyond("array", "maxItems", count, -1),
    maxItems: (count) => countBeyond("array", "minItems", count, 1),
    minLength: (count) => countBeyond("string", "maxLength", count, -1),
    maxLength: (count) => countBeyond("string", "minLength", count, 1),
    pattern: (pattern) => [{ schema: { type: "string" }, excludes: { pattern } }],
    minimum: (bound, { exclusiveMinimum }) => [
      numberBeyond(exclusiveMinimum === true ? "maximum" : "exclusiveMaximum", bound),
    ],
    maximum: (bound, { exclusiveMaximum }) => [
      numberBeyond(exclusiveMaximum === true ? "minimum" : "exclusiveMinimum", bound),
    ],
    exclusiveMinimum: (bound) => (typeof bound === "number" ? [numberBeyond("maximum", bound)] : []),
    exclusiveMaximum: (bound) => (typeof bound === "number" ? [numberBeyond("minimum", bound)] : []),
    multipleOf: (multipleOf) => [{ schema: { type: "number" }, excludes: { multipleOf } }],
  } satisfies Record<string, Negate>),
);
/** Keywords beside others that say what those mean. */
const companions = new Set(["then", "else", "minContains", "maxContains", "additionalItems"]);
const isAnnotation = (keyword: string) => annotations.has(keyword) || keyword === "$anchor";

/** The alternatives, and the keywords whose breaking is not among them. */
export function negationsOf(schema: SchemaObject): {
  readonly alternatives: readonly Negation[];
  readonly undecided: string[];
} {
  const alternatives: Negation[] = [];
  const undecided: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const negate = negations.get(keyword);
    if (negate !== undefined) alternatives.push(...negate(value, schema));
    else if (known.has(keyword) && !companions.has(keyword) && !isAnnotation(keyword)) undecided.push(keyword);
  }
  return { alternatives, undecided };
}
/** Keywords that say something of values, but for those above. */
const known = new Set([
  ...["additionalProperties", "patternProperties", "propertyNames", "additionalItems", "uniqueItems", "dependencies"],
  ...["unevaluatedProperties", "unevaluatedItems", "format", "$dynamicRef", "$recursiveRef"],
]);
