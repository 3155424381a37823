/** Calls in JSON without any markup around them: those of Llama 3, and those of models that miss the markup of their family. */
import { parseJson } from "../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../chat-completion.ts";
import {
  areKnownCalls,
  callsOrText,
  isKnownTool,
  type CallSyntax,
  type CutCalls,
  type CutContext,
  type ReadCalls,
  type ReadContext,
} from "./call-syntax.ts";
import { cutIfJson, readJsonBlock, readUnclosed } from "./json-blocks.ts";
import { callsOfJson, cutJsonCalls, jsonEnd } from "./json-in-text.ts";

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

/** A call in JSON: of a known tool where nothing stands before it. */
export function readBareJson(text: string, context: ReadContext): ReadCalls | undefined {
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
}

export function cutBareJson(text: string, { opening, tools }: CutContext): CutCalls | undefined {
  if (opening !== "") return cutIfJson(text);
  const read = mayBeCallStart(text.trimStart()) ? cutJsonCalls(text) : undefined;
  return read?.cut === undefined || isKnownTool(read.cut.name, tools) ? read : undefined;
}

const fence = /^`{3}(?:json)?\s*(?=[[{])/;
const mayBeFence = (text: string) => /^`{1,3}(?:j|js|jso|json)?\s*$/.test(text);

/** A call in a fence is one only where it is the whole answer: with a text behind it, it is an example. */
function readFenced(text: string, context: ReadContext): ReadCalls | undefined {
  const plain: ReadCalls = { length: 0, calls: [] };
  const [start] = fence.exec(text) ?? [];
  if (start === undefined) return mayBeFence(text) && !context.isEnd ? undefined : plain;
  const read = readBareJson(text.slice(start.length), context);
  if (read === undefined || read.calls.length === 0) return read && plain;
  const rest = text.slice(start.length + read.length);
  if (!/^\s*(?:`{1,3}\s*)?$/.test(rest)) return plain;
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
    const read = isFenced ? readFenced(text, context) : readBareJson(text, context);
    return read && read.calls.length > 0 ? { ...read, isRecovered: true } : read;
  },
  readCut(text, context) {
    if (context.opening !== "") return syntax.readCut(text, context);
    const [start] = fence.exec(text) ?? [];
    return cutBareJson(text.slice(start?.length ?? 0), context);
  },
  grammar: (tools, rules, most) => syntax.grammar(tools, rules, most),
});
