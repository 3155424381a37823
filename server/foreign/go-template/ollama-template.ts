/** Go templates as Ollama runs them: with its functions, its data, and one run for each turn where they know no messages. */
import { cutAtResponse } from "./cut-at-response.ts";
import { goFunctions, goFunctionsOf } from "./go-functions.ts";
import { goJson } from "./go-json.ts";
import type { GoNode, GoTemplate } from "./go-nodes.ts";
import { messagesOf, toolsOf, typescriptType, variablesOf, type SentMessage, type SentTool } from "./ollama-values.ts";
import { parseGoTemplate } from "./parse-go-template.ts";
import { runGoTemplate } from "./run-go-template.ts";
import { fieldNames } from "./template-names.ts";

/** The variables of a chat template, by the names that Jinja's have. A prompt with a suffix has no messages. */
export interface ChatVariables {
  readonly messages?: readonly SentMessage[];
  readonly tools?: readonly SentTool[];
  readonly enable_thinking?: boolean;
  readonly reasoning_effort?: string;
  readonly prompt?: string;
  readonly suffix?: string;
}

const dayMs = 24 * 60 * 60 * 1000;
/** The day in the time zone of this machine, as 2006-01-02. */
function dateBefore(days: number): string {
  const time = Date.now() - days * dayMs;
  const offsetMs = new Date(time).getTimezoneOffset() * 60 * 1000;
  return new Date(time - offsetMs).toISOString().slice(0, 10);
}

const functions = new Map([
  ...goFunctions,
  ...goFunctionsOf({
    "json(any)": ([value]) => goJson(value),
    "toTypeScriptType(any)": ([value]) => typescriptType(value),
    // A format is accepted and has no effect.
    "currentDate(text...)": () => dateBefore(0),
    "yesterdayDate(text...)": () => dateBefore(1),
  }),
]);
const functionNames = new Set([...functions.keys(), "and", "or"]);

const response: GoNode = {
  kind: "action",
  line: 1,
  pipe: {
    kind: "pipe",
    declared: [],
    isAssignment: false,
    commands: [[{ kind: "field", names: ["Response"] }]],
  },
};

/** A template without place for an answer gets it at its end. @throws GoError */
export function parseOllamaTemplate(source: string): GoTemplate & { readonly names: ReadonlySet<string> } {
  const template = parseGoTemplate(source, functionNames);
  const names = fieldNames(template);
  const root = names.has("messages") || names.has("response") ? template.root : [...template.root, response];
  return { ...template, root, names };
}

/** Joins neighbours of one role, but results of tools. */
function collated(messages: readonly SentMessage[]): SentMessage[] {
  const runs: { first: SentMessage; texts: string[] }[] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    if (run?.first.role === message.role && message.role !== "tool") run.texts.push(message.content ?? "");
    else runs.push({ first: message, texts: [message.content ?? ""] });
  }
  return runs.map(({ first, texts }) => ({ ...first, content: texts.join("\n\n") }));
}

type Turn = Record<"System" | "Prompt" | "Response", string>;

/** The turns of a conversation, one for each run; the last one is to be answered. */
function turnsOf(messages: readonly SentMessage[]): Turn[] {
  const turns: Turn[] = [];
  let turn: Turn = { System: "", Prompt: "", Response: "" };
  const begin = () => {
    turns.push(turn);
    turn = { System: "", Prompt: "", Response: "" };
  };
  for (const { role, content } of messages) {
    if (role === "system") {
      if (turn.Prompt !== "" || turn.Response !== "") begin();
      turn.System = content ?? "";
    } else if (role === "user") {
      if (turn.Response !== "") begin();
      turn.Prompt = content ?? "";
    } else if (role === "assistant") turn.Response = content ?? "";
  }
  return [...turns, turn];
}

/** `true` alone means a medium effort. */
const thinkingOf = ({ enable_thinking: isThinking, reasoning_effort: effort }: ChatVariables) => ({
  Think: isThinking === true,
  ThinkLevel: isThinking === true ? (effort ?? "medium") : "",
  IsThinkSet: isThinking !== undefined,
});

/** @throws GoError, TooLargeError */
export function renderOllamaTemplate(
  template: ReturnType<typeof parseOllamaTemplate>,
  variables: ChatVariables,
  mostCharacters: number,
): string {
  const thinking = thinkingOf(variables);
  const run = (data: Parameters<typeof variablesOf>[0], of: GoTemplate = template, missing: "zero" | "none" = "zero") =>
    runGoTemplate(of, variablesOf({ ...data, ...thinking }), { functions, missing, mostCharacters });
  const { messages = [], tools, prompt, suffix } = variables;
  if (prompt && suffix) return run({ Prompt: prompt, Suffix: suffix, Response: "" });
  const joined = collated(messages);
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content ?? "");
  if (template.names.has("messages"))
    return run({ System: system.join("\n\n"), Messages: messagesOf(joined), Tools: toolsOf(tools), Response: "" });
  const turns = turnsOf(joined);
  const last = turns.pop() ?? {};
  const earlier = turns.map((turn) => run(turn)).join("");
  return earlier + run(last, { ...template, root: cutAtResponse(template.root) }, "none");
}
