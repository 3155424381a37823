/** The tools of POST /v1/responses. */
import type { ToolChoice, ToolDefinition } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";
import { FieldRefusal } from "../../field-refusal.ts";
import { asObject, asText } from "../../json-value.ts";
import { readTool, readOpenAiToolChoice } from "../request/read-tools.ts";

/** The client's name of a function. */
interface Origin {
  readonly name: string;
  readonly namespace: string | undefined;
}

export interface ResponsesTools {
  /** By names of which each is one function's. */
  readonly tools: readonly ToolDefinition[];
  /** The functions by the names that the model is shown. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The tools that the model is not shown, for a person. */
  readonly leftOut: readonly string[];
}

/** Types of tools that some clients offer with every request. The model cannot ask for what it does not see. */
const isLeftOut = (type: unknown): type is string =>
  typeof type === "string" && (type.startsWith("web_search") || ["custom", "local_shell", "mcp"].includes(type));

interface Offered extends Origin {
  readonly tool: ToolDefinition;
}

/** Servers of tools have functions of the same name: the model is shown those with their namespace. */
function toolsByName(offered: readonly Offered[]): Pick<ResponsesTools, "tools" | "origins"> {
  const places = new Map<string, Set<string | undefined>>();
  for (const { name, namespace } of offered) places.set(name, (places.get(name) ?? new Set()).add(namespace));
  const origins = new Map<string, Origin>();
  const uniqueName = ({ name, namespace }: Origin): string => {
    if (namespace === undefined || places.get(name)?.size === 1) return name;
    const long = `${namespace.replace(/__$/, "")}__${name}`;
    const isOther = (one: string) => {
      const origin = origins.get(one);
      return places.has(one) || (origin !== undefined && (origin.name !== name || origin.namespace !== namespace));
    };
    let unique = long;
    for (let at = 2; isOther(unique); at++) unique = `${long}_${String(at)}`;
    return unique;
  };
  const tools = offered.map(({ tool, name, namespace }) => {
    const unique = uniqueName({ name, namespace });
    origins.set(unique, { name, namespace });
    return { ...tool, name: unique };
  });
  return { tools, origins };
}

/** The name that the model is shown for a function of the client's. Without a namespace it may be in any. */
export function nameForModel({ origins }: Pick<ResponsesTools, "origins">, name: string, namespace?: string): string {
  const named = [...origins].filter(([, origin]) => origin.name === name);
  const found = named.find(([, origin]) => origin.namespace === namespace);
  return (found ?? (namespace === undefined ? named[0] : undefined))?.[0] ?? name;
}

/**
 * Functions, alone or in a namespace. A web search and the like are left out rather than refused.
 * @throws OllamaError 400
 */
export function readResponsesTools(values: readonly unknown[] = []): ResponsesTools {
  const leftOut: string[] = [];
  const readOne = (value: unknown, at: string, namespace?: string): Offered[] => {
    const { type, tools, name } = asObject(value);
    if (type === "function") {
      const tool = readTool(value, at);
      return [{ tool, name: tool.name, namespace }];
    }
    if (isLeftOut(type)) {
      leftOut.push(`${at} (${[type, asText(name)].filter(Boolean).join(" ")})`);
      return [];
    }
    if (type !== "namespace" || !Array.isArray(tools))
      throw new OllamaError(400, `${at}: tools of type ${JSON.stringify(type)} are not supported`);
    const own = namespace ?? asText(name) ?? "";
    return tools.flatMap((tool, index) => readOne(tool, `${at}.tools[${String(index)}]`, own));
  };
  return { ...toolsByName(values.flatMap((value, index) => readOne(value, `tools[${String(index)}]`))), leftOut };
}

/** @throws FieldRefusal for a call that only a tool that is left out could answer; OllamaError 400 */
export function readResponsesToolChoice(value: unknown, offered: ResponsesTools): ToolChoice {
  const { tools, leftOut } = offered;
  const isUnmet = value === "required" && tools.length === 0 && leftOut.length > 0;
  if (!isUnmet && !isLeftOut(asObject(value)["type"])) {
    const choice = readOpenAiToolChoice(value);
    if (typeof choice !== "object") return choice;
    return { name: nameForModel(offered, choice.name, asText(asObject(value)["namespace"])) };
  }
  const which = leftOut.length > 0 ? `: ${leftOut.join(", ")}` : "";
  throw new FieldRefusal(
    "tool_choice",
    `tool_choice names a tool that the model does not get${which}; name a function, or omit tool_choice`,
  );
}

/** The tools that were offered, as a response repeats them: what a function leaves out is null. */
export const echoTools = (values: readonly unknown[] = []): unknown[] =>
  values.map(asObject).flatMap((tool): unknown[] => {
    const { type, tools } = tool;
    if (type === "function") return [{ description: null, parameters: null, strict: null, ...tool }];
    return isLeftOut(type) ? [] : [{ ...tool, ...(Array.isArray(tools) && { tools: echoTools(tools) }) }];
  });
