/** Reads the schema of a tool's arguments, for markups with one argument at a time. */
import { isObject } from "../../../contract/is-object.ts";
import { parseJson } from "../../../contract/parse-json.ts";
import { typeOf } from "../../../json-schema/assertions.ts";
import { resolvePointer } from "../../../json-schema/json-schema.ts";
import type { SchemaRecord, ToolDefinition } from "../../chat-completion.ts";
import type { GrammarRules } from "../../grammar/grammar-rules.ts";
import { GrammarLimitError, mostParameters } from "../../grammar/grammar-size.ts";
import { listedValues } from "../../grammar/schema-parts.ts";
import { pythonWords } from "./python-literals.ts";

/** The schemas of a tool's parameters by name. */
export const parameterSchemas = (tool: ToolDefinition | undefined): Record<string, unknown> => {
  const properties = tool?.parameters?.["properties"];
  return isObject(properties) ? properties : {};
};
export const isTextSchema = (schema: unknown): schema is SchemaRecord =>
  isObject(schema) && schema["type"] === "string";
export const isRequired = (tool: ToolDefinition, name: string) => {
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

/** The value of JSON or of a word of Python's, which templates write for `true`, `false` and `null`. */
function literalOf(text: string): unknown {
  const value = parseJson(text);
  return value !== undefined ? value : pythonWords.get(text === "None" ? text : text.toLowerCase());
}

/** The value of the text where the schema allows its type, otherwise the text. */
export function parameterValueOf(written: string, schema: unknown, tool: ToolDefinition | undefined): unknown {
  if (isTextSchema(schema)) return written;
  const value = literalOf(written.trim());
  if (value === undefined) return written;
  const types = allowedTypes(schema, tool);
  const isAllowed =
    types === undefined ||
    types.has(typeOf(value)) ||
    (types.has("integer") && Number.isInteger(value)) ||
    // Models write it for what they leave out.
    (value === null && !types.has("string"));
  return isAllowed ? value : written;
}

/** The parameters that calls are restricted to. @throws GrammarLimitError */
export function namedParameters(tool: ToolDefinition): [name: string, schema: unknown][] {
  const all = Object.entries(parameterSchemas(tool));
  if (all.length > mostParameters)
    throw new GrammarLimitError(`"${tool.name}" has more than ${String(mostParameters)} parameters`);
  return all;
}

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
