/** Reads Anthropic's tools and tool choice. */
import { isObject } from "../../../contract/is-object.ts";
import type { ToolChoice, ToolDefinition } from "../../chat-completion.ts";
import { OllamaError } from "../../ollama-error.ts";
import { asObject, asText } from "../json-value.ts";

/** @throws OllamaError 400, also for tools that only Anthropic's own servers can run. */
export const readAnthropicTools = (tools: readonly unknown[] = []): ToolDefinition[] =>
  tools.map((tool, at) => {
    const place = `tools[${String(at)}]`;
    const { type, name, description, input_schema: parameters } = asObject(tool);
    if (type !== undefined && type !== null && type !== "custom")
      throw new OllamaError(400, `${place}: tools of type ${JSON.stringify(type)} are not supported by this server`);
    if (typeof name !== "string" || name === "") throw new OllamaError(400, `${place}.name is required`);
    if (parameters !== undefined && parameters !== null && !isObject(parameters))
      throw new OllamaError(400, `${place}.input_schema must be a JSON Schema object`);
    return { name, description: asText(description), ...(isObject(parameters) && { parameters }) };
  });

/** `{type: "auto" | "any" | "none"}` or `{type: "tool", name}`. @throws OllamaError 400 */
export function readAnthropicToolChoice(value: unknown): ToolChoice {
  if (value === undefined || value === null) return "auto";
  const { type, name } = asObject(value);
  if (type === "auto" || type === "none") return type;
  if (type === "any") return "required";
  if (type === "tool" && typeof name === "string") return { name };
  throw new OllamaError(
    400,
    'invalid tool_choice: expected {"type":"auto"}, {"type":"any"}, {"type":"none"} or {"type":"tool","name":…}',
  );
}
