/** Reads the schema of a tool's arguments, for markups with one argument at a time. */
import { isObject } from "../../../contract/is-object.ts";
import { parseJson } from "../../../contract/parse-json.ts";
import { typeOf } from "../../../json-schema/assertions.ts";
import { resolvePointer } from "../../../json-schema/json-schema.ts";
import type { SchemaRecord, ToolDefinition } from "../../chat-completion.ts";
import type { GrammarRules } from "../../grammar/grammar-rules.ts";
import { GrammarLimitError, mostParameters } from "../../grammar/grammar-size.ts";
import { schemaRule } from "../../grammar/schema-grammar.ts";
import { listedValues } from "../../grammar/schema-parts.ts";
import { topPlace } from "../../grammar/schema-place.ts";
import { plainTextBody } from "../../grammar/string-grammar.ts";
import type { ParsedCall } from "./answer-part.ts";
import { pythonValue, pythonWords } from "./python-literals.ts";

/** The schemas of a tool's parameters by name. */
export const parameterSchemas = (tool: ToolDefinition | undefined): Record<string, unknown> => {
  const properties = tool?.parameters?.["properties"];
  return isObject(properties) ? properties : {};
};
export const isTextSchema = (schema: unknown): schema is SchemaRecord =>
  isObject(schema) && schema["type"] === "string";
const isRequired = (tool: ToolDefinition, name: string) => {
  const required = tool.parameters?.["required"];
  return Array.isArray(required) && required.includes(name);
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const jsonTypes: readonly unknown[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** The types that the schema of a tool's parameter allows; undefined: all. */
export function allowedTypes(schema: unknown, tool: ToolDefinition | undefined): ReadonlySet<unknown> | undefined {
  const types = new Set<unknown>();
  /** Schemas that are still to be read, and whether one that says nothing allows all. */
  const left = new Map<unknown, boolean>([[schema, true]]);
  for (const [one, isAlternative] of left) {
    const { type, $ref, anyOf, oneOf, allOf, ...rest }: SchemaRecord = isObject(one) ? one : {};
    const own = listedValues(rest)?.map(typeOf) ?? listOf(typeof type === "string" ? [type] : type);
    const parts = [...listOf(anyOf), ...listOf(oneOf), ...listOf(allOf)];
    // Some clients have words of other languages there, such as "int", which say nothing here.
    if (own.some((name) => !jsonTypes.includes(name))) return undefined;
    if (own.length > 0) own.forEach((name) => types.add(name));
    else if (typeof $ref === "string") left.set(resolvePointer(tool?.parameters, $ref), isAlternative);
    else if (parts.length > 0) parts.forEach((part) => left.set(part, allOf === undefined));
    else if (isAlternative) return undefined;
  }
  return types.size === 0 ? undefined : types;
}

/** The value of a text, and whether the model missed the way in which its family writes such values. */
export interface ParameterValue {
  readonly value: unknown;
  readonly isRecovered?: boolean;
}

/** The value of JSON, of a word of Python's for `true`, `false` and `null`, or of a list or dictionary in Python. */
function literalOf(text: string): ParameterValue {
  const value = parseJson(text);
  if (value !== undefined) return { value };
  const word = pythonWords.get(text === "None" ? text : text.toLowerCase());
  if (word !== undefined) return { value: word };
  return /^[[{(]/.test(text) ? { value: pythonValue(text), isRecovered: true } : { value: undefined };
}

/** The value of the text where the schema allows its type, otherwise the text. */
export function parameterValue(written: string, schema: unknown, tool: ToolDefinition | undefined): ParameterValue {
  if (isTextSchema(schema)) return { value: written };
  const read = literalOf(written.trim());
  const { value } = read;
  const types = allowedTypes(schema, tool);
  // Only a schema tells lists in Python from text.
  if (value === undefined || (read.isRecovered === true && types === undefined)) return { value: written };
  const isAllowed =
    types === undefined ||
    types.has(typeOf(value)) ||
    (types.has("integer") && Number.isInteger(value)) ||
    // Models write it for what they leave out.
    (value === null && !types.has("string"));
  return isAllowed ? read : { value: written };
}

/** Some models quote every value: a value that is no text by its schema is parsed as JSON. */
export const unquotedValues = (calls: readonly ParsedCall[], tools: readonly ToolDefinition[]): ParsedCall[] =>
  calls.map(({ name, arguments: args }) => {
    const called = tools.find((tool) => tool.name === name);
    const schemas = parameterSchemas(called);
    const entries = Object.entries(args).map(([key, value]) => {
      const mayBeText = allowedTypes(schemas[key], called)?.has("string") ?? true;
      return [
        key,
        typeof value === "string" && !mayBeText ? parameterValue(value, schemas[key], called).value : value,
      ] as const;
    });
    return { name, arguments: Object.fromEntries(entries) };
  });

/** The parameters that calls are restricted to. @throws GrammarLimitError */
function namedParameters(tool: ToolDefinition): [name: string, schema: unknown][] {
  const all = Object.entries(parameterSchemas(tool));
  if (all.length > mostParameters)
    throw new GrammarLimitError(`"${tool.name}" has more than ${String(mostParameters)} parameters`);
  return all;
}

/**
 * The body of a rule for the arguments in their order. `one` writes an argument, whose text ends before `close`, around the rule
 * of its value.
 */
export const argumentsInOrder = (
  tool: ToolDefinition,
  rules: GrammarRules,
  close: string,
  one: (name: string, value: string, isText: boolean) => string,
): string =>
  namedParameters(tool)
    .map(([name, schema]) => {
      const place = topPlace({ rules, root: tool.parameters, path: `#/tools/${tool.name}/${name}` });
      const isText = isTextSchema(schema);
      const body = one(name, isText ? plainTextBody(schema, place, close) : schemaRule(schema, place), isText);
      return isRequired(tool, name) ? body : `${rules.add(name, body)}?`;
    })
    .join(" ");

/** The body of a rule for the arguments in their order, required ones first; `one` writes an argument. */
export function argumentList(
  tool: ToolDefinition,
  rules: GrammarRules,
  { between, one }: { between: string; one: (name: string, schema: unknown) => string },
): string {
  const all = namedParameters(tool).map(([name, schema]) => ({
    body: one(name, schema),
    isRequired: isRequired(tool, name),
  }));
  const required = all.filter(({ isRequired: must }) => must).map(({ body }) => body);
  const optional = all.filter(({ isRequired: must }) => !must).map(({ body }) => body);
  /** The rules for what may follow an argument, from the last to the first. */
  let more = "";
  const begun: string[] = [];
  for (const body of optional.toReversed()) {
    begun.unshift(`${body} ${more}`);
    more = rules.add("more", `(${between} ${body})? ${more}`);
  }
  if (required.length > 0) return `${required.join(` ${between} `)} ${more}`;
  return begun.length === 0 ? '""' : `(${begun.join(" | ")})?`;
}

/** The text of a body without its tags, even when the last one is truncated. */
export const withoutTags = (body: string) => body.replace(/<[^<>]*>/g, " ").replace(/<\/?[^\s<>]*$/, "");
