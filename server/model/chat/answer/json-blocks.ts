/** Calls as JSON values between texts that each family chooses. */
import { parseJson } from "../../../contract/parse-json.ts";
import { literal } from "../../grammar/grammar-rules.ts";
import type { ParsedCall } from "./answer-part.ts";
import { jsonCall, several, type CallMembers } from "./call-grammar.ts";
import {
  areKnownCalls,
  callsOrText,
  readUpToClosing,
  type CallSyntax,
  type CutCalls,
  type ReadCalls,
  type ReadContext,
} from "./call-syntax.ts";
import { mayTurnInto } from "./find-marker.ts";
import { callsOfJson, cutJsonCalls, jsonEnd, jsonWithoutEnd } from "./json-in-text.ts";

type Block = Pick<ReadContext, "isEnd" | "scan" | "tools">;

/** Calls of known tools in JSON that lacks closing brackets before `close`, or before the end of the answer. */
export function readUnclosed(text: string, close: string | undefined, context: Block): ReadCalls | undefined {
  const read = readUpToClosing({ text, close: close ?? "" }, context, (before) => {
    const calls = callsOfJson(jsonWithoutEnd(before), context.tools);
    return areKnownCalls(calls, context.tools) ? calls : undefined;
  });
  return read && { length: read.length, calls: read.found, isRecovered: true };
}

/** The text behind a value up to the closing, with brackets too many; undefined while more text is needed. */
function closingBehind(
  rest: string,
  close: string,
  isEnd: boolean,
): { length: number; isRecovered: boolean } | undefined {
  const extra = /^\s*[}\]][}\]\s]*/.exec(rest)?.[0] ?? "";
  const closing = rest.slice(extra.length).trimStart();
  if (closing.startsWith(close))
    return { length: rest.length - closing.length + close.length, isRecovered: extra !== "" };
  // A comma may stand before another call.
  return !isEnd && mayTurnInto(closing.replace(/^,\s*/, ""), [close]) ? undefined : { length: 0, isRecovered: false };
}

/** The calls of known tools in a list that is no JSON: it lacks commas between them, or has a broken call. */
function separateCalls(text: string, tools: Block["tools"]): readonly ParsedCall[] | undefined {
  const { calls } = cutJsonCalls(text);
  return calls.length > 0 && areKnownCalls(calls, tools) ? calls : undefined;
}

/** A JSON value and, if present, the closing behind it. */
export function readJsonBlock(text: string, close: string | undefined, context: Block): ReadCalls | undefined {
  const { isEnd, scan, tools } = context;
  const from = /^[\s,]*/.exec(text)?.[0].length ?? 0;
  const isJson = text[from] === "{" || text[from] === "[";
  const end = isJson ? jsonEnd(text, from, scan.brackets) : undefined;
  if (end === undefined) {
    const recovered = isJson ? readUnclosed(text, close, context) : undefined;
    if (recovered !== undefined) return recovered;
    if (isEnd) return callsOrText(text, text.length, undefined);
    // Not JSON: the text up to the closing is content.
    const at = isJson || text.length === from || close === undefined ? -1 : text.indexOf(close);
    return at < 0 || close === undefined ? undefined : callsOrText(text.slice(0, at), at + close.length, undefined);
  }
  const value = parseJson(text.slice(from, end));
  const recovered =
    value === undefined ? readUnclosed(text.slice(0, end), close, { ...context, isEnd: false }) : undefined;
  if (recovered !== undefined) return recovered;
  const separate = value === undefined ? separateCalls(text.slice(from, end), tools) : undefined;
  const calls = separate ?? callsOfJson(value, tools);
  const rest = text.slice(end);
  const closing = close === undefined ? { length: 0, isRecovered: false } : closingBehind(rest, close, isEnd);
  if (closing === undefined) return undefined;
  const read = callsOrText(text.slice(0, end), end + closing.length, calls);
  const isRecovered = closing.isRecovered || separate !== undefined;
  const hasMore = close !== undefined && closing.length === 0 && calls !== undefined && /^\s*(?:,\s*)?\{/.test(rest);
  return { ...read, ...(isRecovered && { isRecovered }), ...(hasMore && { staysInside: true }) };
}

/** Calls, if the text is JSON so far. */
export const cutIfJson = (text: string): CutCalls | undefined =>
  /^\s*(?:[[{]|$)/.test(text) ? cutJsonCalls(text) : undefined;

/** Reads with the names of the members that a family gives its calls. */
export interface JsonMarkup {
  readonly open: readonly string[];
  readonly close: string;
  /** Whether the closing is common in other text. */
  readonly isCommonClose?: boolean;
  /** The texts around all calls, around each one and between two, as the grammar writes them. */
  readonly written: {
    readonly start?: string;
    readonly before?: string;
    readonly after?: string;
    readonly between: string;
    readonly end?: string;
  };
  readonly members?: CallMembers;
  /** The most calls in an answer of the family. */
  readonly most?: number;
}

/** The syntax of calls in blocks of JSON. */
export const jsonBlocks = ({
  open,
  close,
  isCommonClose = false,
  written,
  members,
  most: mostOf,
}: JsonMarkup): CallSyntax => ({
  open,
  ignored: isCommonClose || close === "" ? [] : [close],
  read: (text, context) => readJsonBlock(text, close === "" ? undefined : close, context),
  readCut: cutIfJson,
  grammar(tools, rules, most) {
    const { start = "", before = "", after = "", between, end = "" } = written;
    const one = `${literal(before)} ${jsonCall(tools, rules, members)} ${literal(after)}`;
    return `${literal(start)} ${several(one, literal(between), Math.min(most, mostOf ?? most))} ${literal(end)}`;
  },
});
