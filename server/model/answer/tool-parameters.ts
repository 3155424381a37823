/** Looking into the schema of a tool's arguments, for markup that writes them one by one. */
import { isObject } from "../../contract/is-object.ts";
import type { JsonSchema, ToolDefinition } from "../chat-completion.ts";
import { parseJson } from "./json-in-text.ts";

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

/** Text where the schema says so, else JSON where it is some. */
export function valueOf(written: string, schema: unknown): unknown {
  const value = isText(schema) ? undefined : parseJson(written.trim());
  return value === undefined ? written : value;
}

/**
 * The body of a rule for arguments one behind the other, in their order, those that are required first; `one` writes an
 * argument.
 */
export function argumentList(
  tool: ToolDefinition,
  between: string,
  one: (name: string, schema: unknown) => string,
): string {
  const all = Object.entries(parametersOf(tool)).map(([name, schema]) => ({
    body: one(name, schema),
    isRequired: isRequired(tool, name),
  }));
  const required = all.filter(({ isRequired: must }) => must).map(({ body }) => body);
  const optional = all.filter(({ isRequired: must }) => !must).map(({ body }) => body);
  const more = (from: number) => optional.slice(from).map((body) => `(${between} ${body})?`);
  if (required.length > 0) return [required.join(` ${between} `), ...more(0)].join(" ");
  const begun = optional.map((body, at) => [body, ...more(at + 1)].join(" "));
  return begun.length === 0 ? '""' : `(${begun.join(" | ")})?`;
}

/** What a body says without its tags, a last one that was cut off included. */
export const withoutTags = (body: string) => body.replace(/<[^<>]*>/g, " ").replace(/<\/?[\w=]*$/, "");
