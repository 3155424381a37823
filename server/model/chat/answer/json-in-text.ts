/** JSON inside a model's text: the end of a value, and calls written as JSON. */
import { isObject } from "../../../contract/is-object.ts";
import { parseJson } from "../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../chat-completion.ts";
import type { CutCallPart, ParsedCall } from "./answer-part.ts";
import { bracketEnd, type BracketScan } from "./bracket-end.ts";
import { isKnownTool, type CutCalls } from "./call-syntax.ts";

/** The places of brackets, commas and colons outside strings, of the strings' quotes and of their escapes. */
function* marksIn(text: string, from: number): Generator<number, void> {
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === '"') {
      inString = !inString;
      yield at;
    } else if (inString && character === "\\") yield at++;
    else if (!inString && "{[]},:".includes(character)) yield at;
  }
}

const jsonBrackets = { opening: "{[", closing: "}]", quotes: '"' };

/** The end of the object or array that begins at `from`; undefined while it is incomplete. */
export const jsonEnd = (text: string, from: number, scan?: BracketScan) => bracketEnd(text, from, jsonBrackets, scan);

/** Follows JSON that comes in pieces: what looks like markup in one of its strings is text. */
export interface JsonStrings {
  take(text: string): void;
  /** Whether a string is open behind what was taken and this. */
  isOpenBehind(text: string): boolean;
}

export function createJsonStrings(): JsonStrings {
  /** The last character is the backslash of an escape: the next one is no end. */
  type State = "outside" | "inside" | "escape";
  let state: State = "outside";
  const behind = (text: string) =>
    Array.from(text).reduce<State>((now, character) => {
      if (now === "escape") return "inside";
      if (character === '"') return now === "inside" ? "outside" : "inside";
      return now === "inside" && character === "\\" ? "escape" : now;
    }, state);
  return {
    take: (text) => void (state = behind(text)),
    isOpenBehind: (text) => behind(text) !== "outside",
  };
}

/** Arguments as an object; some models write a string that contains one, or leave them out. */
export function argumentsOf(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null || value === "") return {};
  if (isObject(value)) return value;
  const inner = typeof value === "string" ? parseJson(value) : undefined;
  return inner === undefined ? undefined : argumentsOf(inner);
}

/** `{"name": {…}}` of a known tool, as Apertus writes its calls. */
function onlyMember(value: Record<string, unknown>, tools: readonly ToolDefinition[]): ParsedCall | undefined {
  const [[name, args] = ["", undefined], ...others] = Object.entries(value);
  const isCall = others.length === 0 && isObject(args) && isKnownTool(name, tools);
  return isCall ? { name, arguments: args } : undefined;
}

function callOf(value: unknown, tools: readonly ToolDefinition[]): ParsedCall | undefined {
  if (!isObject(value)) return undefined;
  const inner = isObject(value["function"]) ? value["function"] : value;
  const name = inner["name"] ?? value["tool_name"] ?? value["function"];
  const args = argumentsOf(inner["arguments"] ?? inner["parameters"]);
  if (typeof name !== "string" || name === "" || args === undefined) return onlyMember(value, tools);
  const id = value["id"];
  return { name, arguments: args, ...(typeof id === "string" && id !== "" && { id }) };
}

/** Calls written as `{"name", "arguments"}` or a list of such; undefined for any other value. */
export function callsOfJson(value: unknown, tools: readonly ToolDefinition[] = []): ParsedCall[] | undefined {
  const calls = (Array.isArray(value) ? value : [value]).map((one) => callOf(one, tools));
  return calls.every((call) => call !== undefined) && calls.length > 0 ? calls : undefined;
}

const keyAt = /[\s,]*("[^"\\]*(?:\\.[^"\\]*)*")\s*:\s*/sy;
const stringAt = /"[^"\\]*(?:\\.[^"\\]*)*"?/sy;
const scalarAt = /[^\s,}\]]*/y;

/** The end of the JSON value at `from`, and of the text where it is incomplete. */
export function valueEnd(text: string, from: number): number {
  if (text[from] === "{" || text[from] === "[") return jsonEnd(text, from) ?? text.length;
  const value = text[from] === '"' ? stringAt : scalarAt;
  value.lastIndex = from;
  return value.test(text) ? value.lastIndex : text.length;
}

/** The members of an object in possibly truncated text, each value as written. The last one may be incomplete. */
function membersWritten(text: string): Map<string, string> {
  const members = new Map<string, string>();
  keyAt.lastIndex = text.indexOf("{") + 1;
  for (let key = keyAt.exec(text); key !== null; key = keyAt.exec(text)) {
    const from = keyAt.lastIndex;
    keyAt.lastIndex = valueEnd(text, from);
    members.set(String(parseJson(key[1] ?? "")), text.slice(from, keyAt.lastIndex));
  }
  return members;
}

/** Where JSON is cut. */
interface Cut {
  /** The closing brackets of the open objects and arrays, the outermost first. */
  readonly open: readonly string[];
  /** The place of the last comma between members of the outermost object; its beginning without one. */
  readonly behindWhole: number;
  /** A continuation after which only brackets are missing. If this one does not parse, none does. */
  readonly rest: string;
}

function cutOf(text: string): Cut {
  const open: string[] = [];
  let behindWhole = text.indexOf("{") + 1;
  let last = -1;
  let inString = false;
  let beforeString = "";
  for (const at of marksIn(text, 0)) {
    const mark = text[at] ?? "";
    if (mark === "{") open.push("}");
    else if (mark === "[") open.push("]");
    else if ("}]".includes(mark)) open.pop();
    else if (mark === "," && open.length === 1) behindWhole = at;
    else if (mark === '"') {
      inString = !inString;
      if (inString) beforeString = text[last] ?? "";
    }
    last = at;
  }
  const inObject = open.at(-1) === "}";
  const behindName = inObject && beforeString !== ":" ? ":0" : "";
  const tail = text.slice(last);
  if (inString) return { open, behindWhole, rest: `${escapeRest(tail)}"${behindName}` };
  const scalar = tail.slice(1).trimStart();
  if (scalar !== "") return { open, behindWhole, rest: scalarRest(scalar) };
  const rests: Record<string, string> = { ":": "0", ",": inObject ? '"":0' : "0", '"': behindName };
  return { open, behindWhole, rest: rests[text[last] ?? ""] ?? "" };
}

/** @param text the end of a string, from its last escape if it has one */
function escapeRest(text: string): string {
  if (text === "\\") return "n";
  return /^\\u[\da-f]{0,3}$/i.test(text) ? "0".repeat(6 - text.length) : "";
}

function scalarRest(text: string): string {
  const literal = ["true", "false", "null"].find((one) => one.startsWith(text));
  return literal?.slice(text.length) ?? (/[-+.e]$/i.test(text) ? "0" : "");
}

/** The value of JSON that lacks at most two closing brackets at its end, the last one not opened just there; undefined for other text. */
export function jsonWithoutEnd(text: string): unknown {
  const written = text.trimEnd();
  const { open, rest } = cutOf(written);
  const isNearlyWhole = rest === "" && open.length > 0 && open.length <= 2 && !/[[{]$/.test(written);
  return isNearlyWhole ? parseJson(written + open.toReversed().join("")) : undefined;
}

/** The members of an object in truncated text that are certainly whole; undefined where no object begins so. */
function wholeMembers(text: string): unknown {
  const { open, behindWhole, rest } = cutOf(text);
  const completed = parseJson(text + rest + open.toReversed().join(""));
  // A number or a literal at the very end may have been longer.
  const isWhole = open.length === 1 && rest === "" && !/[\w.+-]/.test(text.at(-1) ?? "");
  return completed === undefined || isWhole ? completed : parseJson(`${text.slice(0, behindWhole)}}`);
}

/** Arguments of an earlier call, as a client sends them back: those of a call that the limit cut are truncated. */
export function earlierArguments(value: unknown): Record<string, unknown> | undefined {
  const isCut = typeof value === "string" && /^\s*\{/.test(value) && jsonEnd(value, 0) === undefined;
  return argumentsOf(isCut ? (wholeMembers(value) ?? false) : value);
}

/**
 * The beginning of an object in the arguments of a cut call, which clients send back. Text behind the object is left out,
 * and so is a last member with a broken name, as one without its quotes.
 */
export function begunArguments(text: string): string {
  if (!text.startsWith("{")) return "";
  const whole = text.slice(0, jsonEnd(text, 0));
  if (earlierArguments(whole) !== undefined) return whole;
  const before = text.slice(0, cutOf(text).behindWhole);
  return parseJson(`${before}}`) === undefined ? "" : before;
}

function cutCallOf(text: string): CutCallPart | undefined {
  const members = membersWritten(text);
  const inner = members.get("function");
  if (inner?.startsWith("{") === true) return cutCallOf(inner);
  const name = parseJson(members.get("name") ?? members.get("tool_name") ?? inner ?? "");
  if (typeof name !== "string" || name === "") return undefined;
  const args = members.get("arguments") ?? members.get("parameters") ?? "";
  const id = parseJson(members.get("id") ?? "");
  return { name, arguments: args.startsWith("{") ? args : "", ...(typeof id === "string" && { id }) };
}

/** Calls in truncated JSON: alone, in a list or with anything between them. */
export function cutJsonCalls(text: string): CutCalls {
  const calls: ParsedCall[] = [];
  for (let from = text.indexOf("{"), end; from >= 0; from = text.indexOf("{", end)) {
    end = jsonEnd(text, from);
    if (end === undefined) return { calls, cut: cutCallOf(text.slice(from)) };
    calls.push(...(callsOfJson(parseJson(text.slice(from, end))) ?? []));
  }
  return { calls };
}
