/**
 * JSON Schema as a grammar. What the grammar generates always satisfies the schema; it may generate less than the schema
 * allows (members that are not declared, exotic spellings of numbers). A keyword that cannot be guaranteed is refused by
 * name.
 */
import { isObject } from "../../contract/is-object.ts";
import { annotations, resolvePointer, without } from "../../json-schema/json-schema.ts";
import type { JsonSchema } from "../chat-completion.ts";
import { createGrammarRules, literal, oneOfTexts, type GrammarRules } from "./grammar-rules.ts";
import { GrammarLimitError, mostRepetitions } from "./grammar-size.ts";
import { booleanRule, listBody, nullRule, objectRule, spaceRule, valueRule } from "./json-rules.ts";
import { mergeStrictly } from "./merge-strictly.ts";
import { numberBody } from "./number-grammar.ts";
import { objectBody } from "./object-grammar.ts";
import { countOf, listOf } from "./schema-values.ts";
import { beside, inside, topPlace, type RuleOf, type SchemaPlace } from "./schema-place.ts";
import { stringBody } from "./string-grammar.ts";
import { areDisjoint } from "./disjoint-schemas.ts";
import { unenforceable } from "./unenforceable.ts";

const never = [
  ["not", "if", "then", "else", "patternProperties", "dependentRequired", "dependentSchemas", "dependencies"],
  ["contains", "minContains", "maxContains", "$dynamicRef", "$recursiveRef", "unevaluatedItems"],
].flat();

function refuseNever(schema: JsonSchema, path: string): void {
  const found = never.find((keyword) => schema[keyword] !== undefined);
  if (found !== undefined) throw unenforceable(found, path);
  if (schema["uniqueItems"] === true) throw unenforceable("uniqueItems", path);
}

/** @throws OllamaError 400 */
function resolve(pointer: unknown, { root, path }: SchemaPlace): unknown {
  if (typeof pointer !== "string" || !/^#(\/|$)/.test(pointer))
    throw unenforceable("$ref", path, "only references within the schema are followed");
  const target = resolvePointer(root, pointer);
  if (target === undefined) throw unenforceable("$ref", path, "nothing is where it points to");
  return target;
}

const hasAssertions = (schema: JsonSchema) => Object.keys(schema).some((keyword) => !annotations.has(keyword));

const typeOfValue = (value: unknown) =>
  value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;

function enumBody(values: readonly unknown[], schema: JsonSchema, path: string): string {
  const types = schema["type"] === undefined ? undefined : [schema["type"]].flat();
  const fitting = values.filter((value) => {
    const type = typeOfValue(value);
    return types === undefined || types.includes(type) || (type === "integer" && types.includes("number"));
  });
  if (fitting.length === 0) throw unenforceable("enum", path, "no value is left");
  return oneOfTexts(fitting.map((value) => JSON.stringify(value)));
}

function alternatives(schema: JsonSchema, keyword: "anyOf" | "oneOf", place: SchemaPlace): string {
  const list = schema[keyword];
  if (!Array.isArray(list) || list.length === 0)
    throw unenforceable(keyword, place.path, "it must be a list of schemas");
  if (keyword === "oneOf") checkOneOf(list, place);
  const rest = without(schema, keyword);
  const possible = list.filter((one) => one !== false);
  if (possible.length === 0) throw unenforceable(keyword, place.path, "no value is left");
  return possible
    .map((one: unknown, at) => {
      const there = beside(place, schema, keyword, at);
      return schemaRule(hasAssertions(rest) ? mergeStrictly(rest, resolved(one, there), place.path) : one, there);
    })
    .join(" | ");
}

/** Each is compared with every other one. */
const mostOneOf = 500;

function checkOneOf(list: readonly unknown[], place: SchemaPlace): void {
  if (list.length > mostOneOf)
    throw unenforceable("oneOf", place.path, `it has more than ${String(mostOneOf)} schemas; use anyOf`);
  const targets = list.map((one) => (isObject(one) && one["$ref"] !== undefined ? resolve(one["$ref"], place) : one));
  if (targets.some((one, at) => targets.slice(at + 1).some((other) => !areDisjoint(one, other))))
    throw unenforceable("oneOf", place.path, "a value may satisfy several of its schemas; use anyOf");
}

const circle = ({ path }: SchemaPlace) => unenforceable("$ref", path, "it refers to itself");

/** A schema as an object, a reference followed. */
function resolved(schema: unknown, place: SchemaPlace): JsonSchema {
  if (schema === true) return {};
  if (!isObject(schema)) throw unenforceable("false", place.path, "no value satisfies it");
  if (schema["$ref"] === undefined) return schema;
  if (place.same.has(schema)) throw circle(place);
  const rest = without(schema, "$ref");
  const target = resolved(resolve(schema["$ref"], place), beside(place, schema));
  return hasAssertions(rest) ? mergeStrictly(target, rest, place.path) : target;
}

function arrayBody(schema: JsonSchema, place: SchemaPlace): string {
  const { rules } = place;
  const { items } = schema;
  const [least = 0, most] = [countOf(schema, "minItems", place.path), countOf(schema, "maxItems", place.path)];
  if (Math.max(least, most ?? 0) > mostRepetitions || least > (most ?? least))
    throw unenforceable(most === undefined ? "minItems" : "maxItems", place.path);
  const prefixItems = listOf(schema, "prefixItems", place.path);
  const first = prefixItems ?? (Array.isArray(items) ? items : []);
  if (first.length > 0) {
    // A tuple has all of its members and no more: always allowed, unless the counts say otherwise.
    if (least > first.length || (most !== undefined && most < first.length))
      throw unenforceable(most === undefined ? "minItems" : "maxItems", place.path, "together with prefixItems");
    const ws = spaceRule(rules);
    const members = first.map((one, at) => schemaRule(one, inside(place, "prefixItems", at)));
    return `"[" ${ws} ${members.join(` ${ws} "," ${ws} `)} ${ws} "]"`;
  }
  if (items === false || most === 0) return `"[" "]"`;
  return `"[" ${listBody(rules, schemaRule(items ?? true, inside(place, "items")), least, most)} "]"`;
}

function typeBody(type: unknown, schema: JsonSchema, place: SchemaPlace): string {
  switch (type) {
    case "string":
      return stringBody(schema, place);
    case "number":
    case "integer":
      return numberBody(schema, type, place);
    case "boolean":
      return booleanRule(place.rules);
    case "null":
      return nullRule(place.rules);
    case "array":
      return arrayBody(schema, place);
    case "object":
      return objectBody(schema, place, schemaRule);
    default:
      throw unenforceable("type", place.path, `${JSON.stringify(type)} is no type`);
  }
}

const hints: readonly (readonly [type: string, ...keywords: string[]])[] = [
  ["object", "properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties"],
  ["array", "items", "prefixItems", "minItems", "maxItems"],
  ["string", "pattern", "minLength", "maxLength"],
  ["number", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
];

function bodyOf(schema: JsonSchema, place: SchemaPlace): string {
  refuseNever(schema, place.path);
  const allOf = listOf(schema, "allOf", place.path);
  if (allOf !== undefined) {
    const parts = allOf.map((one, at) => resolved(one, beside(place, schema, "allOf", at)));
    const whole = [without(schema, "allOf"), ...parts].reduce((a, b) => mergeStrictly(a, b, place.path));
    return bodyOf(whole, beside(place, schema, "allOf"));
  }
  if (schema["anyOf"] !== undefined) return alternatives(schema, "anyOf", place);
  if (schema["oneOf"] !== undefined) return alternatives(schema, "oneOf", place);
  if ("const" in schema) return literal(JSON.stringify(schema["const"]));
  const values = listOf(schema, "enum", place.path);
  if (values !== undefined) return enumBody(values, schema, place.path);
  const type = schema["type"] ?? hints.find(([, ...words]) => words.some((word) => schema[word] !== undefined))?.[0];
  if (type === undefined) return valueRule(place.rules);
  const types = [...new Set([type].flat())];
  if (types.length === 0) throw unenforceable("type", place.path, "no value is left");
  return types.map((one) => typeBody(one, schema, place)).join(" | ");
}

/** What a message names when a schema as a whole is too much. */
const mainKeyword = (schema: JsonSchema) =>
  ["enum", "const", "anyOf", "oneOf", "pattern", "maxLength", "properties", "items", "maxItems", "allOf"].find(
    (keyword) => schema[keyword] !== undefined,
  ) ?? "type";

/** The name of a rule for the values of this schema. @throws OllamaError 400 naming what cannot be enforced */
export const schemaRule: RuleOf = (schema, place) => {
  if (schema === true || schema === undefined) return valueRule(place.rules);
  if (!isObject(schema)) throw unenforceable("false", place.path, "no value satisfies it");
  if (place.same.has(schema)) throw circle(place);
  if (schema["$ref"] !== undefined && !hasAssertions(without(schema, "$ref"))) {
    const target = resolve(schema["$ref"], place);
    return schemaRule(target, beside({ ...place, path: schema["$ref"] as string }, schema));
  }
  const hint = place.path.slice(place.path.lastIndexOf("/") + 1);
  try {
    return place.rules.once(schema, hint, () => bodyOf(resolved(schema, place), place));
  } catch (error) {
    throw error instanceof GrammarLimitError ? unenforceable(mainKeyword(schema), place.path, error.message) : error;
  }
};

/** The root rule of any of these formats: "json" is any object. */
export const formatRule = (format: "json" | JsonSchema, rules: GrammarRules): string =>
  format === "json" ? objectRule(rules) : schemaRule(format, topPlace({ rules, root: format, path: "#" }));

/** A grammar whose text is a value of the format. @throws OllamaError 400 naming what cannot be enforced */
export function formatGrammar(format: "json" | JsonSchema): string {
  const rules = createGrammarRules();
  return rules.text(formatRule(format, rules));
}
