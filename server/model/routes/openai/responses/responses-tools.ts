/** The tools of POST /v1/responses. */
import type { ToolDefinition } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";
import { asObject, asText } from "../../json-value.ts";
import { readTool } from "../request/read-tools.ts";

export interface ResponsesTools {
  readonly tools: readonly ToolDefinition[];
  /** The namespaces of functions, by the function's name. */
  readonly namespaces: ReadonlyMap<string, string>;
}

/**
 * Functions, alone or in a namespace. A web search is ignored, not refused: some clients offer it with every request,
 * and the model never sees it.
 * @throws OllamaError 400
 */
export function readResponsesTools(values: readonly unknown[] = []): ResponsesTools {
  const namespaces = new Map<string, string>();
  const readOne = (value: unknown, at: string): ToolDefinition[] => {
    const { type, tools, name } = asObject(value);
    if (type === "function") return [readTool(value, at)];
    if (typeof type === "string" && type.startsWith("web_search")) return [];
    if (type !== "namespace" || !Array.isArray(tools))
      throw new OllamaError(400, `${at}: tools of type ${JSON.stringify(type)} are not supported`);
    const inner = tools.flatMap((tool, index) => readOne(tool, `${at}.tools[${String(index)}]`));
    for (const tool of inner) namespaces.set(tool.name, asText(name) ?? "");
    return inner;
  };
  return { tools: values.flatMap((value, index) => readOne(value, `tools[${String(index)}]`)), namespaces };
}
