/** Reads the schema of a tool's arguments, for markups with one argument at a time. */
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../../contract/parse-json.ts";
import type { JsonSchema, ToolDefinition } from "../chat-completion.ts";
import type { GrammarRules } from "../grammar/grammar-rules.ts";
import { GrammarLimitError, mostParameters } from "../grammar/grammar-size.ts";

/** The schemas of a tool's parameters by name. */
export const parametersOf = (tool: ToolDefinition | undefined): Record<string, unknown> => {
  const properties = tool?.parameters?.["properties"];
  return isObject(properties) ? properties : {};
};
export const isText = (schema: unknown): schema is JsonSchema => isObject(schema) && schema["type"] === "string";
export const isRequired = (tool: ToolDefinition, name: string) => {
  const required = tool.parameters?.["required"];
  return Array.isArray(required) && required.includes(name);
};

/** Text where the schema says so, otherwise JSON if it is valid. */
export function valueOf(written: string, schema: unknown): unknown {
  const value = isText(schema) ? undefined : parseJson(written.trim());
  return value === undefined ? written : value;
}

/** The parameters that calls are restricted to. @throws GrammarLimitError */
export function namedParameters(tool: ToolDefinition): [name: string, schema: unknown][] {
  const all = Object.entries(parametersOf(tool));
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
