/** JSON inside a model's text: the end of a value, and calls written as JSON. */
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../../contract/parse-json.ts";
import type { CutCall, ParsedCall } from "./answer-part.ts";
import type { CutCalls } from "./call-syntax.ts";

/** The places of brackets and commas outside strings. */
function* marksIn(text: string, from: number): Generator<number, void> {
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? "";
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if ("{[]},".includes(character)) yield at;
  }
}

/** The end of the object or array that begins at `from`; undefined while it is incomplete. */
export function jsonEnd(text: string, from: number): number | undefined {
  let depth = 0;
  for (const at of marksIn(text, from)) {
    if (text[at] === "{" || text[at] === "[") depth++;
    else if (text[at] !== "," && --depth === 0) return at + 1;
  }
  return undefined;
}

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
  return typeof value === "string" ? argumentsOf(parseJson(value) ?? false) : undefined;
}

function callOf(value: unknown): ParsedCall | undefined {
  if (!isObject(value)) return undefined;
  const inner = isObject(value["function"]) ? value["function"] : value;
  const name = inner["name"] ?? value["tool_name"] ?? value["function"];
  const given = argumentsOf(inner["arguments"] ?? inner["parameters"]);
  if (typeof name !== "string" || name === "" || given === undefined) return undefined;
  const id = value["id"];
  return { name, arguments: given, ...(typeof id === "string" && id !== "" && { id }) };
}

/** Calls written as `{"name", "arguments"}` or a list of such; undefined for any other value. */
export function callsOfJson(value: unknown): ParsedCall[] | undefined {
  const calls = (Array.isArray(value) ? value : [value]).map(callOf);
  return calls.every((call) => call !== undefined) && calls.length > 0 ? calls : undefined;
}

const keyAt = /[\s,]*("[^"\\]*(?:\\.[^"\\]*)*")\s*:\s*/sy;
const stringAt = /"[^"\\]*(?:\\.[^"\\]*)*"?/sy;
const scalarAt = /[^\s,}\]]*/y;

function valueEnd(text: string, from: number): number {
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

const stringEnds = ["", "n", "0", "00", "000", "0000"].map((escaped) => `${escaped}"`);
const literalEnds = ["rue", "ue", "e", "alse", "lse", "se", "ull", "ll", "l"];
/** What goes on with JSON from wherever it is cut, up to where only brackets are missing. */
const continuations = [
  ...stringEnds,
  ...stringEnds.map((end) => `${end}:0`),
  ...["", "0", ":0", '"":0'],
  ...literalEnds,
];

/** The members of an object in truncated text that are certainly whole; undefined where no object begins so. */
function wholeMembers(text: string): unknown {
  const open: string[] = [];
  let behindWhole = text.indexOf("{") + 1;
  for (const at of marksIn(text, 0)) {
    if (text[at] === "{") open.push("}");
    else if (text[at] === "[") open.push("]");
    else if (text[at] !== ",") open.pop();
    else if (open.length === 1) behindWhole = at;
  }
  const closing = open.toReversed().join("");
  if (!continuations.some((end) => parseJson(text + end + closing) !== undefined)) return undefined;
  // A number or a literal at the very end may have been longer.
  const whole = /[\w.+-]$/.test(text) ? undefined : parseJson(`${text}}`);
  return whole ?? parseJson(`${text.slice(0, behindWhole)}}`);
}

/** Arguments of an earlier call, as a client sends them back: those of a call that the limit cut are truncated. */
export function earlierArguments(value: unknown): Record<string, unknown> | undefined {
  const isCut = typeof value === "string" && /^\s*\{/.test(value) && jsonEnd(value, 0) === undefined;
  return argumentsOf(isCut ? (wholeMembers(value) ?? false) : value);
}

function cutCallOf(text: string): CutCall | undefined {
  const members = membersWritten(text);
  const inner = members.get("function");
  if (inner?.startsWith("{") === true) return cutCallOf(inner);
  const name = parseJson(members.get("name") ?? members.get("tool_name") ?? inner ?? "");
  if (typeof name !== "string" || name === "") return undefined;
  const given = members.get("arguments") ?? members.get("parameters") ?? "";
  const id = parseJson(members.get("id") ?? "");
  return { name, arguments: given.startsWith("{") ? given : "", ...(typeof id === "string" && { id }) };
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
