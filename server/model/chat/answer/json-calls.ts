/** Families that write calls as JSON: Hermes and Qwen, Phi and Granite, Mistral, Llama 3. */
import { parseJson } from "../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../chat-completion.ts";
import { literal } from "../../grammar/grammar-rules.ts";
import { anyTool, argumentsRule, jsonCall, several } from "./call-grammar.ts";
import { callsOrText, type CallSyntax, type CutCalls, type ReadCalls, type ReadContext } from "./call-syntax.ts";
import { mayTurnInto } from "./find-marker.ts";
import { argumentsOf, callsOfJson, cutJsonCalls, jsonEnd } from "./json-in-text.ts";

/** A JSON value and, if present, the closing behind it. */
function readJsonBlock(
  text: string,
  close: string | undefined,
  { isEnd, scan }: Pick<ReadContext, "isEnd" | "scan">,
): ReadCalls | undefined {
  const from = text.length - text.trimStart().length;
  const isJson = text[from] === "{" || text[from] === "[";
  const end = isJson ? jsonEnd(text, from, scan.brackets) : undefined;
  if (end === undefined) {
    if (isEnd) return callsOrText(text, text.length, undefined);
    // Not JSON: the text up to the closing is content.
    const at = isJson || text.length === from || close === undefined ? -1 : text.indexOf(close);
    return at < 0 || close === undefined ? undefined : callsOrText(text.slice(0, at), at + close.length, undefined);
  }
  const calls = callsOfJson(parseJson(text.slice(from, end)));
  if (close === undefined) return callsOrText(text.slice(0, end), end, calls);
  const rest = text.slice(end);
  const closing = rest.trimStart();
  if (!isEnd && closing !== close && !closing.startsWith(close) && mayTurnInto(closing, [close])) return undefined;
  const length = closing.startsWith(close) ? end + (rest.length - closing.length) + close.length : end;
  return callsOrText(text.slice(0, end), length, calls);
}

/** Calls, if the text is JSON so far. */
const cutIfJson = (text: string): CutCalls | undefined =>
  /^\s*(?:[[{]|$)/.test(text) ? cutJsonCalls(text) : undefined;

/** `<tool_call>{"name": …, "arguments": …}</tool_call>`, a block for each call. */
export const hermesCalls: CallSyntax = {
  open: ["<tool_call>"],
  ignored: ["</tool_call>"],
  read: (text, context) => readJsonBlock(text, "</tool_call>", context),
  readCut: cutIfJson,
  grammar: (tools, rules, most) =>
    several(`"<tool_call>\\n" ${jsonCall(tools, rules, "arguments")} "\\n</tool_call>"`, '"\\n"', most),
};

const functools = "functools[";

/** The list behind `functools[`, whose bracket is part of it. It holds calls if an object comes first; the rest is text. */
function readFunctools(text: string, close: string, context: ReadContext): ReadCalls | undefined {
  if (/^\s*[^\s{]/.test(text)) return { length: 0, calls: [], text: functools };
  const read = readJsonBlock(`[${text}`, close, context);
  return (
    read && { ...read, length: read.length - 1, ...(read.text !== undefined && { text: `functools${read.text}` }) }
  );
}

/** `<|tool_call|>[{"name": …, "arguments": …}]<|/tool_call|>`, one list of all calls, also as `functools[…]`. */
export const phiCalls: CallSyntax = {
  open: ["<|tool_call|>", functools],
  ignored: ["<|/tool_call|>"],
  read: (text, context) =>
    (context.opening === functools ? readFunctools : readJsonBlock)(text, "<|/tool_call|>", context),
  readCut: cutIfJson,
  grammar: (tools, rules, most) =>
    `"<|tool_call|>[" ${several(jsonCall(tools, rules, "arguments"), '", "', most)} "]<|/tool_call|>"`,
};

/** `[TOOL_CALLS][{"name": …, "arguments": …}]` in older templates. */
export const mistralListCalls: CallSyntax = {
  open: ["[TOOL_CALLS]"],
  ignored: [],
  read: readMistral,
  readCut: cutMistral,
  grammar: (tools, rules, most) => `"[TOOL_CALLS] [" ${several(jsonCall(tools, rules, "arguments"), '", "', most)} "]"`,
};

/** `[TOOL_CALLS]name[ARGS]{…}`, an opening for each call, in newer ones. */
export const mistralNamedCalls: CallSyntax = {
  ...mistralListCalls,
  grammar: (tools, rules, most) =>
    `(${anyTool(tools, rules, (tool) => `"[TOOL_CALLS]" ${literal(tool.name)} "[ARGS]" ${argumentsRule(tool, rules)}`)}){1,${String(most)}}`,
};

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

const pythonTag = "<|python_tag|>";
/** The beginning of a call in JSON; anything else is an answer in JSON. */
const callStart = /^\{\s*"(name|type|function)"\s*:/;
const mayBeCallStart = (text: string) =>
  callStart.test(text) ||
  ['{"name":', '{"type":', '{"function":'].some((start) => start.startsWith(text.replace(/\s+/g, "")));

/** The answer itself is `{"name": …, "parameters": …}`, several with ";" or a line end between them. */
export const llamaCalls: CallSyntax = {
  open: [pythonTag],
  ignored: ["<|eom_id|>"],
  bare: true,
  read(text, context) {
    const { opening, isEnd, tools, scan } = context;
    const start = text.trimStart();
    const skipped = text.length - start.length;
    const isBare = opening === "";
    // A brace begins a call only for the name of a known tool; other JSON is the answer.
    const plain: ReadCalls = isBare ? { length: 0, calls: [] } : callsOrText(text, text.length, undefined);
    if (!isBare && !start.startsWith("{") && (start !== "" || isEnd)) return isEnd ? plain : undefined;
    if (!mayBeCallStart(start)) return isBare ? plain : readJsonBlock(text, undefined, context);
    const end = jsonEnd(start, 0, scan.brackets);
    if (end === undefined) return isEnd ? plain : undefined;
    const calls = callsOfJson(parseJson(start.slice(0, end)));
    if (calls?.every(({ name }) => tools.some((tool) => tool.name === name)) !== true)
      return isBare ? plain : callsOrText(start.slice(0, end), skipped + end, calls);
    return { length: skipped + end, calls };
  },
  readCut(text, { opening, tools }) {
    if (opening !== "") return cutIfJson(text);
    const read = mayBeCallStart(text.trimStart()) ? cutJsonCalls(text) : undefined;
    return read?.cut === undefined || tools.some(({ name }) => name === read.cut?.name) ? read : undefined;
  },
  grammar: (tools, rules, most) => several(jsonCall(tools, rules, "parameters"), '"; "', most),
};
