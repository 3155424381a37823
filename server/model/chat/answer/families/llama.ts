/** Llama 3, whose answer itself is a call in JSON, and other families with calls without any markup. */
import { parseJson } from "../../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../../chat-completion.ts";
import { jsonCall, several } from "../call-grammar.ts";
import {
  areKnownCalls,
  callsOrText,
  isKnownTool,
  type CallSyntax,
  type ReadCalls,
  type ReadContext,
} from "../call-syntax.ts";
import { cutIfJson, readJsonBlock, readUnclosed } from "../json-blocks.ts";
import { callsOfJson, cutJsonCalls, jsonEnd } from "../json-in-text.ts";
import type { Family } from "./family.ts";

/** The beginning of a call in JSON, perhaps in a list; anything else is an answer in JSON. */
const callStart = /^(?:\[\s*)?\{\s*"(name|type|function)"\s*:/;
const starts = ["name", "type", "function"].flatMap((name) => [`{"${name}":`, `[{"${name}":`]);
const mayBeCallStart = (text: string) =>
  callStart.test(text) || starts.some((start) => start.startsWith(text.slice(0, 64).replace(/\s+/g, "")));

/** Whether the JSON begins with a name that no tool has, or with another type than that of calls. */
function namesNoTool(text: string, tools: readonly ToolDefinition[]): boolean {
  const [, key, value = ""] = /^(?:\[\s*)?\{\s*"(name|type)"\s*:\s*"([^"\\]*)"/.exec(text) ?? [];
  return key === "name" ? !isKnownTool(value, tools) : key === "type" && value !== "function";
}

/** Whether an answer may begin with a call in JSON or with a list. */
export const beginsLikeJson = (text: string) => text.startsWith("{") || text.startsWith("[");

interface BareMarkup {
  /** A text that may stand before calls. */
  readonly open: readonly string[];
  readonly ignored: readonly string[];
  /** How the grammar writes calls. */
  readonly grammar: CallSyntax["grammar"];
}

/** Calls without any markup: JSON that names a known tool. */
const bareCalls = ({ open, ignored, grammar }: BareMarkup): CallSyntax => ({
  open,
  ignored,
  mayBeBare: beginsLikeJson,
  read(text, context) {
    const { opening, isEnd, tools, scan } = context;
    const start = text.trimStart();
    const skipped = text.length - start.length;
    const isBare = opening === "";
    // A brace begins a call only for the name of a known tool; other JSON is the answer.
    const plain: ReadCalls = isBare ? { length: 0, calls: [] } : callsOrText(text, text.length, undefined);
    if (!isBare && !beginsLikeJson(start) && (start !== "" || isEnd)) return isEnd ? plain : undefined;
    if (isBare && namesNoTool(start, tools)) return plain;
    if (!mayBeCallStart(start)) return isBare ? plain : readJsonBlock(text, undefined, context);
    const end = jsonEnd(start, 0, scan.brackets);
    if (end === undefined) return isEnd ? (readUnclosed(text, undefined, context) ?? plain) : undefined;
    const calls = callsOfJson(parseJson(start.slice(0, end)));
    if (!areKnownCalls(calls, tools)) return isBare ? plain : callsOrText(start.slice(0, end), skipped + end, calls);
    return { length: skipped + end, calls };
  },
  readCut(text, { opening, tools }) {
    if (opening !== "") return cutIfJson(text);
    const read = mayBeCallStart(text.trimStart()) ? cutJsonCalls(text) : undefined;
    return read?.cut === undefined || isKnownTool(read.cut.name, tools) ? read : undefined;
  },
  grammar,
});

/** `{"name": …, "parameters": …}`, several with ";" or a line end between them. */
export const llamaCalls = bareCalls({
  open: ["<|python_tag|>"],
  ignored: ["<|eom_id|>"],
  grammar: (tools, rules, most) =>
    several(jsonCall(tools, rules, { name: "name", arguments: "parameters" }), '"; "', most),
});

const fence = /^`{3}(?:json)?\s*(?=[[{])/;
const mayBeFence = (text: string) => /^`{1,3}(?:j|js|jso|json)?\s*$/.test(text);

/** A call in a fence is one only where it is the whole answer: with a text behind it, it is an example. */
function readFenced(text: string, context: ReadContext): ReadCalls | undefined {
  const plain: ReadCalls = { length: 0, calls: [] };
  const [start] = fence.exec(text) ?? [];
  if (start === undefined) return mayBeFence(text) && !context.isEnd ? undefined : plain;
  const read = llamaCalls.read(text.slice(start.length), context);
  if (read === undefined || read.calls.length === 0) return read && plain;
  const rest = text.slice(start.length + read.length);
  if (!/^\s*`{0,3}\s*$/.test(rest)) return plain;
  return context.isEnd ? { length: text.length, calls: read.calls } : undefined;
}

/** Reads an answer that is a call in JSON, too: models of other families miss their markup so. */
export const orBareJson = (syntax: CallSyntax): CallSyntax => ({
  open: syntax.open,
  ignored: syntax.ignored,
  mayBeBare: (text, tools) => /^[{`]/.test(text) || syntax.mayBeBare?.(text, tools) === true,
  read(text, context) {
    const isFenced = text.startsWith("`");
    if (context.opening !== "" || (!isFenced && syntax.mayBeBare?.(text, context.tools) === true))
      return syntax.read(text, context);
    const read = isFenced ? readFenced(text, context) : llamaCalls.read(text, context);
    return read && read.calls.length > 0 ? { ...read, isRecovered: true } : read;
  },
  readCut(text, context) {
    if (context.opening !== "") return syntax.readCut(text, context);
    const [start] = fence.exec(text) ?? [];
    return llamaCalls.readCut(text.slice(start?.length ?? 0), context);
  },
  grammar: (tools, rules, most) => syntax.grammar(tools, rules, most),
});

export const llama: Family = {
  name: "llama-3",
  written: /"parameters"/,
  taught: /["']parameters["']\s*:\s*dictionary|ipython/,
  calls: llamaCalls,
};

/** xLAM 2 and others: `[{"name": …, "arguments": …}]`. */
export const bareList: Family = {
  name: "bare-list",
  written: /\[\s*\{\s*"name"/,
  calls: orBareJson(
    bareCalls({
      open: [],
      ignored: [],
      grammar: (tools, rules, most) => `"[" ${several(jsonCall(tools, rules), '", "', most)} "]"`,
    }),
  ),
};

/** `{"name": …, "arguments": …}` without a list. */
export const bareObject: Family = {
  name: "bare-object",
  written: /\{\s*"name"/,
  calls: orBareJson(
    bareCalls({
      open: [],
      ignored: [],
      grammar: (tools, rules, most) => several(jsonCall(tools, rules), '"\\n"', most),
    }),
  ),
};
