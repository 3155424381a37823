/** Named arguments, each between texts of its own. */
import { parseJson } from "../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../chat-completion.ts";
import { earlierArguments, valueEnd } from "./json-in-text.ts";
import { isTextSchema, parameterSchemas, parameterValue } from "./tool-parameters.ts";

/** A call with named arguments: those with complete values, in their order. */
export interface NamedArguments {
  readonly name: string;
  readonly entries: readonly (readonly [name: string, value: unknown])[];
  /** Whether the model missed its own markup. */
  readonly isRecovered: boolean;
}

/** The texts before an argument's name, between it and its value, and behind the value. */
export type PairMarks = readonly [start: RegExp, middle: RegExp, end: RegExp];

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

/** `command=create`: a name and a value in the place of the name, of a parameter that the tool has. */
function joinedArgument(key: string, schemas: Record<string, unknown>) {
  const [, name = "", value = ""] = /^([^=\s]+)=([^<>]*)/.exec(key) ?? [];
  return !(key in schemas) && name in schemas ? { name, value: value.trim() } : undefined;
}

/** A text that is enclosed as in XML: marks in it are text. */
const enclosure = { open: /\s*<!\[CDATA\[/y, close: "]]>" };

/** Reads arguments one after another from a text. Each parameter is awaited once, so that repeated ones cost little. */
class ArgumentReader {
  readonly #text: string;
  readonly #marks: PairMarks;
  readonly #isCut: boolean;
  readonly #called: ToolDefinition | undefined;
  readonly #schemas: Record<string, unknown>;
  readonly #awaited: Set<string>;
  readonly entries: [string, unknown][] = [];
  isRecovered = false;
  #at = 0;
  /** Where the last enclosed text ends. */
  readonly #lastEnclosed: number;

  constructor(text: string, marks: PairMarks, called: ToolDefinition | undefined, isCut: boolean) {
    this.#text = text;
    this.#marks = marks;
    this.#isCut = isCut;
    this.#called = called;
    this.#schemas = parameterSchemas(called);
    this.#awaited = new Set(Object.keys(this.#schemas));
    this.#lastEnclosed = text.lastIndexOf(enclosure.close);
  }

  /** The next mark of this kind. The position is then behind it. */
  #find(mark: RegExp): RegExpExecArray | null {
    mark.lastIndex = this.#at;
    const found = mark.exec(this.#text);
    this.#at = mark.lastIndex;
    return found;
  }

  /** The text of an enclosed value, and the position behind it. Undefined for another value. */
  #enclosed(): string | undefined {
    enclosure.open.lastIndex = this.#at;
    if (this.#at > this.#lastEnclosed || !enclosure.open.test(this.#text)) return undefined;
    const from = enclosure.open.lastIndex;
    const to = this.#text.indexOf(enclosure.close, from);
    if (to < 0) return undefined;
    this.#at = to + enclosure.close.length;
    return this.#text.slice(from, to);
  }

  /** Reads one argument. False where none is whole. */
  read(): boolean {
    const [start, middle, end] = this.#marks;
    if (this.#find(start) === null) return false;
    const nameAt = this.#at;
    const behind = this.#find(middle);
    if (behind === null) return false;
    const key = this.#text.slice(nameAt, behind.index).trim();
    const joined = joinedArgument(key, this.#schemas);
    if (joined !== undefined) {
      this.#at = nameAt;
      if (this.#find(end) === null && this.#isCut) return false;
      this.isRecovered = true;
      return this.#add(joined.name, joined.value, false);
    }
    const valueAt = this.#at;
    // Some families write the kind of a value.
    const isText = behind.groups?.["text"] !== undefined || isTextSchema(this.#schemas[key]);
    const enclosed = this.#enclosed();
    if (enclosed !== undefined) return (this.#find(end) !== null || !this.#isCut) && this.#add(key, enclosed, isText);
    const from = this.#awaited.delete(key) && !isText ? searchFrom(this.#text, valueAt, end, this.#isCut) : valueAt;
    if (from === undefined) return false;
    this.#at = from;
    const ending = this.#find(end);
    if (ending === null || (ending[0] === "" && this.#isCut)) return false;
    const written = this.#text.slice(valueAt, ending.index);
    if (ending[0] === "") this.isRecovered = true;
    return this.#add(key, ending[0] === "" ? written.trimEnd() : written, isText);
  }

  #add(key: string, written: string, isText: boolean): boolean {
    const schema = this.#schemas[key];
    const read = isText ? { value: written } : parameterValue(written, schema, this.#called);
    if (read.isRecovered === true) this.isRecovered = true;
    this.entries.push([key, read.value]);
    return true;
  }
}

/** The arguments in the text: JSON where the tool's schema allows its type. */
export function namedArguments(
  name: string,
  text: string,
  marks: PairMarks,
  { tools, isCut = false }: ArgumentsOptions,
): NamedArguments {
  const called = tools.find((tool) => tool.name === name);
  const reader = new ArgumentReader(text, marks, called, isCut);
  while (reader.read());
  return { name, entries: reader.entries, isRecovered: reader.isRecovered };
}
