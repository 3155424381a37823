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

/** Types of tools that some clients offer with every request. The model cannot ask for what it does not see. */
const isPassedOver = (type: string) => type.startsWith("web_search") || ["custom", "local_shell", "mcp"].includes(type);

/**
 * Functions, alone or in a namespace. A web search and the like are left out rather than refused.
 * @throws OllamaError 400
 */
export function readResponsesTools(values: readonly unknown[] = []): ResponsesTools {
  const namespaces = new Map<string, string>();
  const readOne = (value: unknown, at: string): ToolDefinition[] => {
    const { type, tools, name } = asObject(value);
    if (type === "function") return [readTool(value, at)];
    if (typeof type === "string" && isPassedOver(type)) return [];
    if (type !== "namespace" || !Array.isArray(tools))
      throw new OllamaError(400, `${at}: tools of type ${JSON.stringify(type)} are not supported`);
    const inner = tools.flatMap((tool, index) => readOne(tool, `${at}.tools[${String(index)}]`));
    for (const tool of inner) namespaces.set(tool.name, asText(name) ?? "");
    return inner;
  };
  return { tools: values.flatMap((value, index) => readOne(value, `tools[${String(index)}]`)), namespaces };
}

/** The tools as a response repeats them: what a function leaves out is null. */
export const echoTools = (values: readonly unknown[] = []): unknown[] =>
  values.map((value) =>
    asObject(value)["type"] === "function"
      ? { description: null, parameters: null, strict: null, ...asObject(value) }
      : value,
  );
