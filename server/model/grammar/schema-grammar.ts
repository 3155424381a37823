/**
 * JSON Schema as a grammar. Every generated text satisfies the schema; the grammar may generate less than the schema
 * allows (members that are not declared, exotic spellings of numbers). A keyword that cannot be guaranteed is refused by
 * name.
 */
import { isObject } from "../../contract/is-object.ts";
import { typeOf } from "../../json-schema/assertions.ts";
import { annotations, withoutNulls } from "../../json-schema/json-schema.ts";
import type { SchemaRecord } from "../chat-completion.ts";
import { arrayBody } from "./structures/array-grammar.ts";
import { expandSchema } from "./expand-schema.ts";
import { createGrammarRules, oneOfTexts, type GrammarRules } from "./grammar-rules.ts";
import { GrammarLimitError } from "./grammar-size.ts";
import { booleanRule, nullRule, objectRule, valueRule } from "./json-rules.ts";
import { listedIn } from "./listed-values.ts";
import { numberBody } from "./numbers/number-grammar.ts";
import { objectBody } from "./structures/object-grammar.ts";
import { listedValues, pathOfKeyword, refuseUndecided, typesOfParts, type Conjunction } from "./schema-parts.ts";
import { topPlace, type RuleOf, type SchemaPlace } from "./schema-place.ts";
import { listOf } from "./schema-values.ts";
import { stringBody } from "./string-grammar.ts";
import { NoValueError, unenforceable } from "./unenforceable.ts";
import { withinBudget } from "./work-budget.ts";

/** Values that the parts exclude, of one type. */
const excludedOf = (parts: Conjunction, type: string) =>
  parts.flatMap(({ excludes }) => listedValues(excludes ?? {}) ?? []).filter((value) => typeOf(value) === type);

function booleanBody(parts: Conjunction, place: SchemaPlace): string {
  const excluded = excludedOf(parts, "boolean");
  const left = [true, false].filter((value) => !excluded.includes(value));
  if (left.length === 0) throw new NoValueError("not", place.path, "no value is left");
  return left.length === 2 ? booleanRule(place.rules) : oneOfTexts(left.map(String));
}

function typeBody(type: string, parts: Conjunction, place: SchemaPlace): string {
  switch (type) {
    case "string":
      return stringBody(parts, place);
    case "number":
    case "integer":
      return numberBody(parts, type, place);
    case "boolean":
      return booleanBody(parts, place);
    case "null":
      if (excludedOf(parts, "null").length > 0) throw new NoValueError("not", place.path, "no value is left");
      return nullRule(place.rules);
    case "array":
    case "object":
      if (excludedOf(parts, type).length > 0) throw unenforceable("not", place.path, `it excludes a single ${type}`);
      return type === "array" ? arrayBody(parts, place, ruleOf) : objectBody(parts, place, ruleOf);
    default:
      throw unenforceable("type", place.path, `${JSON.stringify(type)} is no type`);
  }
}

const knownTypes = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

/** @throws OllamaError 400 for keywords whose values have the wrong form */
function checkForms(parts: Conjunction): void {
  for (const { schema, path } of parts) {
    listOf(schema, "enum", path);
    const unknown = [schema["type"] ?? []].flat().find((type) => !knownTypes.has(type as string));
    if (unknown !== undefined) throw unenforceable("type", path, `${JSON.stringify(unknown)} is no type`);
  }
}

/** The body of each alternative. Alternatives that no value satisfies are left out, unless all are such. */
function eachPossible<One>(all: readonly One[], body: (one: One) => string): string[] {
  let impossible: NoValueError | undefined;
  const bodies = all.flatMap((one) => {
    try {
      return [body(one)];
    } catch (error) {
      if (!(error instanceof NoValueError)) throw error;
      impossible ??= error;
      return [];
    }
  });
  if (bodies.length === 0 && impossible !== undefined) throw impossible;
  return bodies;
}

function conjunctionBodies(parts: Conjunction, place: SchemaPlace): string[] {
  refuseUndecided(parts);
  const types = typesOfParts(parts);
  if (types.length === 0) throw new NoValueError("type", place.path, "no value is left");
  if (parts.length === 0) return [valueRule(place.rules)];
  return eachPossible(types, (type) => typeBody(type, parts, place));
}

/** A value that the parts list, as JSON. @throws OllamaError 400 for numbers that may have been rounded as they were read */
const jsonOf = (value: unknown, parts: Conjunction) =>
  JSON.stringify(value, (_name, held: unknown) => {
    if (typeof held !== "number" || Math.abs(held) <= Number.MAX_SAFE_INTEGER) return held;
    const keyword = parts.some(({ schema }) => "const" in schema) ? "const" : "enum";
    const why = `numbers beyond ${String(Number.MAX_SAFE_INTEGER)} are not exact; make them texts`;
    throw unenforceable(keyword, pathOfKeyword(parts, keyword), why);
  });

function bodyOf(sources: Parameters<RuleOf>[0], place: SchemaPlace): string {
  const alternatives = expandSchema(sources, place.references);
  const texts = new Set<string>();
  const others: Conjunction[] = [];
  for (const parts of alternatives) {
    checkForms(parts);
    const listed = listedIn(parts, place.references);
    if (listed === undefined) others.push(parts);
    for (const value of listed ?? []) texts.add(jsonOf(value, parts));
  }
  if (texts.size === 0 && others.length === 0) throw new NoValueError("enum", place.path, "no value is left");
  const bodies = texts.size === 0 ? [] : [oneOfTexts([...texts])];
  try {
    return [...bodies, ...eachPossible(others, (parts) => conjunctionBodies(parts, place).join(" | "))].join(" | ");
  } catch (error) {
    if (error instanceof NoValueError && bodies[0] !== undefined) return bodies[0];
    throw error;
  }
}

/** The keyword that a message names when a whole schema is too large. */
const mainKeyword = (schema: unknown) =>
  [
    ...["enum", "const", "anyOf", "oneOf", "pattern", "maxLength", "properties", "items", "maxItems", "allOf", "not"],
    ...["$ref"],
  ].find((keyword) => isObject(schema) && schema[keyword] !== undefined) ?? "type";

const constrains = (schema: unknown) =>
  schema !== true && !(isObject(schema) && Object.keys(schema).every((keyword) => annotations.has(keyword)));

const ruleOf: RuleOf = (sources, place) => {
  const constraining = [...new Map(sources.map((source) => [source.schema, source])).values()].filter(({ schema }) =>
    constrains(schema),
  );
  if (constraining.length === 0) return valueRule(place.rules);
  const hint = place.path.slice(place.path.lastIndexOf("/") + 1);
  const [first] = constraining;
  try {
    return place.rules.onceForAll(
      constraining.map(({ schema }) => schema),
      hint,
      () => bodyOf(constraining, place),
    );
  } catch (error) {
    const isTooDeep = error instanceof RangeError;
    if (!isTooDeep && !(error instanceof GrammarLimitError)) throw error;
    const why = isTooDeep ? "its parts are nested too deeply" : error.message;
    throw unenforceable(mainKeyword(first?.schema), first?.path ?? place.path, why);
  }
};

/** The name of a rule for the values of this schema. @throws OllamaError 400 naming what cannot be enforced */
export const schemaRule = (schema: unknown, place: SchemaPlace): string =>
  withinBudget(() => ruleOf([{ schema, path: place.path }], place));

/** The root rule of any of these formats: "json" is any object. */
export function formatRule(format: "json" | SchemaRecord, rules: GrammarRules, isOpen = false): string {
  if (format === "json") return objectRule(rules);
  const root = withoutNulls(format);
  return schemaRule(root, topPlace({ rules, root, path: "#", isOpen }));
}

/** A grammar whose text is a value of the format. @throws OllamaError 400 naming what cannot be enforced */
export function formatGrammar(format: "json" | SchemaRecord, { isOpen = false } = {}): string {
  const rules = createGrammarRules();
  return rules.text(formatRule(format, rules, isOpen));
}
