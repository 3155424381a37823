/** Mistral: lists of calls in older templates, `[TOOL_CALLS]name[ARGS]{…}` in newer ones. */
import type { ToolDefinition } from "../../../chat-completion.ts";
import { literal } from "../../../grammar/grammar-rules.ts";
import { anyTool, argumentsRule, jsonCall, several } from "../call-grammar.ts";
import { callsOrText, type CallSyntax, type CutCalls, type ReadCalls, type ReadContext } from "../call-syntax.ts";
import { cutIfJson, readJsonBlock } from "../json-blocks.ts";
import { argumentsOf, jsonEnd } from "../json-in-text.ts";
import type { Family } from "./family.ts";

type Tools = readonly ToolDefinition[];

/** The call that arguments may follow; undefined for text. Without marks only a plain name is one, or that of a tool. */
function mistralHead(text: string, tools: Tools) {
  const [, before = "", marks = "", id] = /^([^[]*)((?:\[CALL_ID\](\w*)\s*)?(?:\[ARGS\]\s*)?)$/.exec(text) ?? [];
  const name = before.trim();
  const isOne = marks !== "" || /^[\w.-]+$/.test(name) || tools.some((tool) => tool.name.startsWith(name));
  return name === "" || !isOne ? undefined : { call: { name, ...(id && { id }) }, isWhole: marks !== "" };
}

/**
 * Accepts both forms, because models of the family were trained on either. An id may stand between name and arguments.
 */
function readMistral(text: string, context: ReadContext): ReadCalls | undefined {
  const { isEnd, tools, scan } = context;
  const start = text.trimStart();
  if (start === "" && !isEnd) return undefined;
  if (start.startsWith("[{") || start === "[" || start.startsWith("{") || /^\[\s/.test(start))
    return readJsonBlock(text, undefined, context);
  const from = text.indexOf("{");
  const end = from < 0 ? undefined : jsonEnd(text, from, scan.brackets);
  if (end === undefined) return isEnd ? callsOrText(text.replace("[ARGS]", " "), text.length, undefined) : undefined;
  const head = mistralHead(text.slice(0, from), tools);
  const args = argumentsOf(text.slice(from, end));
  const calls = head === undefined || args === undefined ? undefined : [{ ...head.call, arguments: args }];
  return callsOrText(text.slice(0, end).replace("[ARGS]", " "), end, calls);
}

function cutMistral(text: string, { tools }: { tools: Tools }): CutCalls | undefined {
  const [, before = "", args] = /^([^{]*)(\{.*)?$/s.exec(text) ?? [];
  const head = mistralHead(args === undefined ? before.replace(/\[[A-Z_]*$/, "") : before, tools);
  if (head === undefined) return cutIfJson(text);
  const isWhole = args !== undefined || head.isWhole;
  return { calls: [], ...(isWhole && { cut: { ...head.call, arguments: args ?? "" } }) };
}

/** `[TOOL_CALLS][{"name": …, "arguments": …}]` in older templates. */
const mistralListCalls: CallSyntax = {
  open: ["[TOOL_CALLS]"],
  ignored: ["[/TOOL_CALLS]"],
  read: readMistral,
  readCut: cutMistral,
  grammar: (tools, rules, most) => `"[TOOL_CALLS] [" ${several(jsonCall(tools, rules), '", "', most)} "]"`,
};

/** `[TOOL_CALLS]name[ARGS]{…}`, an opening for each call, in newer ones. */
const mistralNamedCalls: CallSyntax = {
  ...mistralListCalls,
  grammar: (tools, rules, most) =>
    `(${anyTool(tools, rules, (tool) => `"[TOOL_CALLS]" ${literal(tool.name)} "[ARGS]" ${argumentsRule(tool, rules)}`)}){1,${String(most)}}`,
};

export const mistralList: Family = {
  name: "mistral",
  written: /\[TOOL_CALLS\]\s*\[/,
  taught: /\[AVAILABLE_TOOLS\]/,
  calls: mistralListCalls,
};
export const mistralNamed: Family = {
  name: "mistral-named",
  written: /\[TOOL_CALLS\][^[\]]+(?:\[CALL_ID\]\w+)?\[ARGS\]/,
  calls: mistralNamedCalls,
};
