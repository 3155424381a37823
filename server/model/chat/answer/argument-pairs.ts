/** Named arguments, each between texts of its own, as Qwen's coders and GLM write them. */
import { parseJson } from "../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../chat-completion.ts";
import { earlierArguments, valueEnd } from "./json-in-text.ts";
import { isTextSchema, parameterSchemas, parameterValueOf } from "./tool-parameters.ts";

/** A call with named arguments: those with complete values, in their order. */
export interface NamedArguments {
  readonly name: string;
  readonly entries: readonly (readonly [name: string, value: unknown])[];
}

/** The texts before an argument's name, between it and its value, and behind the value. */
type PairMarks = readonly [start: RegExp, middle: RegExp, end: RegExp];

export const xmlPair: PairMarks = [/<parameter=/g, />\n?/g, /\n?<\/parameter>/g];
export const glmPair: PairMarks = [/<arg_key>/g, /<\/arg_key>\s*<arg_value>/g, /<\/arg_value>/g];

/**
 * Where to look for the end of the value at `from`: behind JSON, whose texts may have the mark, too. Undefined for JSON that
 * a cut has left open.
 */
function searchFrom(text: string, from: number, end: RegExp, isCut: boolean): number | undefined {
  const begin = from + (/^\s*(?=["[{])/.exec(text.slice(from))?.[0].length ?? text.length);
  if (begin >= text.length) return from;
  const behind = valueEnd(text, begin);
  end.lastIndex = behind;
  const next = end.exec(text)?.index;
  const isWhole = parseJson(text.slice(begin, behind)) !== undefined;
  if (next !== undefined && isWhole && text.slice(behind, next).trim() === "") return behind;
  if (!isCut) return from;
  const isOpen = isWhole
    ? /^\s*(?:<[/\w]*)?$/.test(text.slice(behind))
    : earlierArguments(`{"":${text.slice(begin)}`) !== undefined;
  return isOpen ? undefined : from;
}

export interface ArgumentsOptions {
  readonly tools: readonly ToolDefinition[];
  readonly isCut?: boolean;
}

/** The arguments in the text: JSON where the tool's schema allows what it says. */
export function namedArguments(
  name: string,
  text: string,
  [start, middle, end]: PairMarks,
  { tools, isCut = false }: ArgumentsOptions,
): NamedArguments {
  const called = tools.find((tool) => tool.name === name);
  const schemas = parameterSchemas(called);
  /** Each is looked for once, so that a model that repeats them is not read again and again. */
  const awaited = new Set(Object.keys(schemas));
  const entries: [string, unknown][] = [];
  let at = 0;
  /** The next mark of this kind; `at` is set to the position behind it. */
  const find = (mark: RegExp) => {
    mark.lastIndex = at;
    const found = mark.exec(text);
    at = mark.lastIndex;
    return found?.index;
  };
  while (find(start) !== undefined) {
    const nameAt = at;
    const nameEnd = find(middle);
    if (nameEnd === undefined) break;
    const valueAt = at;
    const key = text.slice(nameAt, nameEnd).trim();
    const schema = schemas[key];
    const mayBeJson = awaited.delete(key) && !isTextSchema(schema);
    const from = mayBeJson ? searchFrom(text, at, end, isCut) : at;
    if (from === undefined) break;
    at = from;
    const endAt = find(end);
    if (endAt === undefined) break;
    entries.push([key, parameterValueOf(text.slice(valueAt, endAt), schema, called)]);
  }
  return { name, entries };
}
