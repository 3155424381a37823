/** The tools of POST /v1/responses. */
import type { ToolChoice, ToolDefinition } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";
import { FieldRefusal } from "../../field-refusal.ts";
import { asObject, asText } from "../../json-value.ts";
import { readTool, readToolChoice } from "../request/read-tools.ts";

export interface ResponsesTools {
  readonly tools: readonly ToolDefinition[];
  /** The namespaces of functions, by the function's name. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** The tools that the model is not shown, for a person. */
  readonly leftOut: readonly string[];
}

/** Types of tools that some clients offer with every request. The model cannot ask for what it does not see. */
const isLeftOut = (type: unknown): type is string =>
  typeof type === "string" && (type.startsWith("web_search") || ["custom", "local_shell", "mcp"].includes(type));

/**
 * Functions, alone or in a namespace. A web search and the like are left out rather than refused.
 * @throws OllamaError 400
 */
export function readResponsesTools(values: readonly unknown[] = []): ResponsesTools {
  const namespaces = new Map<string, string>();
  const leftOut: string[] = [];
  const readOne = (value: unknown, at: string): ToolDefinition[] => {
    const { type, tools, name } = asObject(value);
    if (type === "function") return [readTool(value, at)];
    if (isLeftOut(type)) {
      leftOut.push(`${at} (${[type, asText(name)].filter(Boolean).join(" ")})`);
      return [];
    }
    if (type !== "namespace" || !Array.isArray(tools))
      throw new OllamaError(400, `${at}: tools of type ${JSON.stringify(type)} are not supported`);
    const inner = tools.flatMap((tool, index) => readOne(tool, `${at}.tools[${String(index)}]`));
    for (const tool of inner) namespaces.set(tool.name, asText(name) ?? "");
    return inner;
  };
  return { tools: values.flatMap((value, index) => readOne(value, `tools[${String(index)}]`)), namespaces, leftOut };
}

/** @throws FieldRefusal for a call that only a tool that is left out could answer; OllamaError 400 */
export function readResponsesToolChoice(value: unknown, { tools, leftOut }: ResponsesTools): ToolChoice {
  const isUnmet = value === "required" && tools.length === 0 && leftOut.length > 0;
  if (!isUnmet && !isLeftOut(asObject(value)["type"])) return readToolChoice(value);
  const which = leftOut.length > 0 ? `: ${leftOut.join(", ")}` : "";
  throw new FieldRefusal(
    "tool_choice",
    `tool_choice asks for a tool that the model is not shown${which}; only functions are, so name one or leave the choice out`,
  );
}

/** The tools that were offered, as a response repeats them: what a function leaves out is null. */
export const echoTools = (values: readonly unknown[] = []): unknown[] =>
  values.map(asObject).flatMap((tool): unknown[] => {
    const { type, tools } = tool;
    if (type === "function") return [{ description: null, parameters: null, strict: null, ...tool }];
    return isLeftOut(type) ? [] : [{ ...tool, ...(Array.isArray(tools) && { tools: echoTools(tools) }) }];
  });
