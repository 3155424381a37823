/** Reads the tools and the tool choice of the OpenAI routes. */
import { isObject } from "../../../../contract/is-object.ts";
import type { ToolChoice, ToolDefinition } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";
import { asObject, asText } from "../../json-value.ts";

/** `at` names the place in the request, for example "tools[0].function". @throws OllamaError 400 */
export function readTool(value: unknown, at: string): ToolDefinition {
  const { name, description, parameters } = asObject(value);
  if (typeof name !== "string" || name === "") throw new OllamaError(400, `${at}.name is required`);
  if (parameters !== undefined && parameters !== null && !isObject(parameters))
    throw new OllamaError(400, `${at}.parameters must be a JSON Schema object`);
  return { name, description: asText(description), ...(isObject(parameters) && { parameters }) };
}

/** The tools of a chat: `{type: "function", function: {…}}` each. @throws OllamaError 400 */
export const readChatTools = (tools: readonly unknown[] = []): ToolDefinition[] =>
  tools.map((tool, at) => {
    const place = `tools[${String(at)}]`;
    const { type = "function", function: definition } = asObject(tool);
    if (type !== "function") throw new OllamaError(400, `${place}: only tools of type "function" are supported`);
    return readTool(definition, `${place}.function`);
  });

/**
 * "auto", "none", "required", or one function by name: `{type: "function", function: {name}}` in a chat,
 * `{type: "function", name}` in a response.
 * @throws OllamaError 400
 */
export function readOpenAiToolChoice(value: unknown): ToolChoice {
  if (value === undefined || value === null) return "auto";
  if (value === "auto" || value === "none" || value === "required") return value;
  const { type, name, function: called } = asObject(value);
  const chosen = asText(asObject(called)["name"]) ?? asText(name);
  if (type !== "function" || chosen === undefined)
    throw new OllamaError(
      400,
      'invalid tool_choice: expected "none", "auto", "required" or {"type":"function","function":{"name":…}}',
    );
  return { name: chosen };
}
