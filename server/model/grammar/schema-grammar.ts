/**
 * JSON Schema as a grammar. What the grammar generates always satisfies the schema; it may generate less than the schema
 * allows (members that are not declared, exotic spellings of numbers). A keyword that cannot be guaranteed is refused by
 * name.
 */
import { isObject } from "../../contract/is-object.ts";
import type { JsonSchema } from "../chat-completion.ts";
import { createGrammarRules, literal, mostRepetitions, oneOf, type GrammarRules } from "./grammar-rules.ts";
import { booleanRule, listBody, nullRule, objectRule, spaceRule, valueRule } from "./json-rules.ts";
import { mergeSchemas } from "./merge-schemas.ts";
import { numberBody } from "./number-grammar.ts";
import { objectBody } from "./object-grammar.ts";
import { inside, type RuleOf, type SchemaPlace } from "./schema-place.ts";
import { stringBody } from "./string-grammar.ts";
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

/** What `#/a/b` points to. */
function resolve(pointer: unknown, { root, path }: SchemaPlace): unknown {
  if (typeof pointer !== "string" || !/^#(\/|$)/.test(pointer))
    throw unenforceable("$ref", path, "only references within the schema are followed");
  let at: unknown = root;
  for (const key of pointer.split("/").slice(1)) {
    const name = decodeURIComponent(key).replace(/~1/g, "/").replace(/~0/g, "~");
    at = isObject(at) || Array.isArray(at) ? (at as Record<string, unknown>)[name] : undefined;
  }
  if (at === undefined) throw unenforceable("$ref", path, `nothing is at ${pointer}`);
  return at;
}

const without = (schema: JsonSchema, ...keywords: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

const annotations = [
  "title",
  "description",
  "default",
  "examples",
  "$comment",
  "$id",
  "$schema",
  "$defs",
  "definitions",
];
const hasAssertions = (schema: JsonSchema) => Object.keys(schema).some((keyword) => !annotations.includes(keyword));

const typeOfValue = (value: unknown) =>
  value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;

function enumBody(values: readonly unknown[], schema: JsonSchema, path: string): string {
  const types = schema["type"] === undefined ? undefined : [schema["type"]].flat();
  const fitting = values.filter((value) => {
    const type = typeOfValue(value);
    return types === undefined || types.includes(type) || (type === "integer" && types.includes("number"));
  });
  if (fitting.length === 0) throw unenforceable("enum", path, "no value is left");
  return oneOf(fitting.map((value) => literal(JSON.stringify(value))));
}

/** Types that can be told apart by how their values are written. */
const kindOf = (type: unknown) => (type === "integer" ? "number" : type);

/** Whether a value can only satisfy one of the two: other types, or another constant in the same member. */
function areDisjoint(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return false;
  const values = (one: JsonSchema) =>
    "const" in one ? [one["const"]] : Array.isArray(one["enum"]) ? (one["enum"] as unknown[]) : undefined;
  const [some, others] = [values(a), values(b)];
  if (some !== undefined && others !== undefined)
    return !some.some((value) => others.some((other) => JSON.stringify(other) === JSON.stringify(value)));
  const [typesA, typesB] = [a, b].map((one) => [one["type"]].flat().map(kindOf));
  if (a["type"] !== undefined && b["type"] !== undefined && !typesA?.some((type) => typesB?.includes(type)))
    return true;
  const [inA, inB] = [a["properties"], b["properties"]];
  const required = (one: JsonSchema) => (Array.isArray(one["required"]) ? (one["required"] as unknown[]) : []);
  return (
    isObject(inA) &&
    isObject(inB) &&
    Object.keys(inA).some(
      (name) =>
        required(a).includes(name) && required(b).includes(name) && name in inB && areDisjoint(inA[name], inB[name]),
    )
  );
}

function alternatives(schema: JsonSchema, keyword: "anyOf" | "oneOf", place: SchemaPlace): string {
  const list = schema[keyword];
  if (!Array.isArray(list) || list.length === 0)
    throw unenforceable(keyword, place.path, "it must be a list of schemas");
  const target = (one: unknown) => (isObject(one) && one["$ref"] !== undefined ? resolve(one["$ref"], place) : one);
  const overlap = list.some((one, at) => list.slice(at + 1).some((other) => !areDisjoint(target(one), target(other))));
  if (keyword === "oneOf" && overlap)
    throw unenforceable("oneOf", place.path, "a value may satisfy several of its schemas; use anyOf");
  const rest = without(schema, keyword);
  return list
    .filter((one) => one !== false)
    .map((one: unknown, at) => {
      const merged = hasAssertions(rest) ? mergeSchemas(rest, resolved(one, place), place.path) : one;
      return schemaRule(merged, inside(place, keyword, at));
    })
    .join(" | ");
}

/** A schema as an object, a reference followed. */
function resolved(schema: unknown, place: SchemaPlace): JsonSchema {
  if (schema === true) return {};
  if (!isObject(schema)) throw unenforceable("false", place.path, "no value satisfies it");
  if (schema["$ref"] === undefined) return schema;
  const rest = without(schema, "$ref");
  const target = resolved(resolve(schema["$ref"], place), place);
  return hasAssertions(rest) ? mergeSchemas(target, rest, place.path) : target;
}

function arrayBody(schema: JsonSchema, place: SchemaPlace): string {
  const { rules } = place;
  const { items, prefixItems, minItems, maxItems } = schema as Record<string, unknown>;
  const [least, most] = [Number(minItems ?? 0), maxItems === undefined ? undefined : Number(maxItems)];
  if (Math.max(least, most ?? 0) > mostRepetitions || least > (most ?? least))
    throw unenforceable(maxItems === undefined ? "minItems" : "maxItems", place.path);
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
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
  if (Array.isArray(schema["allOf"])) {
    const parts = schema["allOf"].map((one, at) => resolved(one, inside(place, "allOf", at)));
    return bodyOf(
      [without(schema, "allOf"), ...parts].reduce((a, b) => mergeSchemas(a, b, place.path)),
      place,
    );
  }
  if (schema["anyOf"] !== undefined) return alternatives(schema, "anyOf", place);
  if (schema["oneOf"] !== undefined) return alternatives(schema, "oneOf", place);
  if ("const" in schema) return literal(JSON.stringify(schema["const"]));
  if (Array.isArray(schema["enum"])) return enumBody(schema["enum"], schema, place.path);
  const type = schema["type"] ?? hints.find(([, ...words]) => words.some((word) => schema[word] !== undefined))?.[0];
  if (type === undefined) return valueRule(place.rules);
  return [type]
    .flat()
    .map((one) => typeBody(one, schema, place))
    .join(" | ");
}

/** The name of a rule for the values of this schema. @throws OllamaError 400 naming what cannot be enforced */
export const schemaRule: RuleOf = (schema, place) => {
  if (schema === true || schema === undefined) return valueRule(place.rules);
  if (!isObject(schema)) throw unenforceable("false", place.path, "no value satisfies it");
  const hint = place.path.split("/").at(-1) ?? "value";
  if (schema["$ref"] !== undefined && !hasAssertions(without(schema, "$ref"))) {
    const target = resolve(schema["$ref"], place);
    if (target === schema) throw unenforceable("$ref", place.path, "it refers to itself");
    return schemaRule(target, { ...place, path: schema["$ref"] as string });
  }
  return place.rules.once(schema, hint, () => bodyOf(resolved(schema, place), place));
};

/** The root rule of any of these formats: "json" is any object. */
export const formatRule = (format: "json" | JsonSchema, rules: GrammarRules): string =>
  format === "json" ? objectRule(rules) : schemaRule(format, { rules, root: format, path: "#" });

/** A grammar whose text is a value of the format. @throws OllamaError 400 naming what cannot be enforced */
export function formatGrammar(format: "json" | JsonSchema): string {
  const rules = createGrammarRules();
  return rules.text(formatRule(format, rules));
}
