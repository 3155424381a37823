/** Calls in Python syntax, `[name(key=value, …), …]`, with literals as values; JSON's words are accepted, too. */
import type { ParsedCall } from "./answer-part.ts";
import { bracketEnd, type BracketScan } from "./bracket-end.ts";

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0", "\n": "" };
export const pythonWords: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["False", false],
  ["None", null],
  ["true", true],
  ["false", false],
  ["null", null],
]);
const closings: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };

const brackets = { opening: "[({", closing: "])}", quotes: "\"'" };

/** The end of the list that the text begins with; undefined while it is missing. */
export const listEnd = (text: string, scan: BracketScan) => bracketEnd(text, 0, brackets, scan);

export interface CutPythonCalls {
  readonly calls: readonly ParsedCall[];
  /** The last, incomplete call with its complete arguments. */
  readonly begun: ParsedCall | undefined;
}

class PythonReader {
  readonly #text: string;
  #at = 0;
  readonly #calls: ParsedCall[] = [];
  /** The call that is being read. */
  #begun: { readonly name: string; readonly entries: [string, unknown][] } | undefined;
  constructor(text: string) {
    this.#text = text;
  }

  #match(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern, "sy");
    sticky.lastIndex = this.#at;
    const [found] = sticky.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
  /** Consumes the next text after white space, if it is there. */
  #accept(text: string): boolean {
    this.#match(/\s*/);
    const isThere = this.#text.startsWith(text, this.#at);
    if (isThere) this.#at += text.length;
    return isThere;
  }
  #expect(text: string): void {
    if (!this.#accept(text)) throw new Error(`${text} is missing`);
  }
  /** Comma-separated items up to the closing. */
  #items(closing: string, item: () => void): void {
    while (!this.#accept(closing)) {
      item();
      if (!this.#accept(",")) {
        this.#expect(closing);
        return;
      }
    }
  }

  #string(): string {
    const quote = this.#text.charAt(this.#at++);
    let value = "";
    for (let character = this.#next(); character !== quote; character = this.#next())
      value += character === "\\" ? this.#escaped() : character;
    return value;
  }
  #next(): string {
    if (this.#at >= this.#text.length) throw new Error("a text does not end");
    return this.#text.charAt(this.#at++);
  }
  #escaped(): string {
    const letter = this.#next();
    if (letter !== "u" && letter !== "x") return escapes[letter] ?? letter;
    const digits = this.#match(letter === "u" ? /[\da-fA-F]{4}/ : /[\da-fA-F]{2}/);
    if (digits === undefined) throw new Error(`\\${letter} needs hexadecimal digits`);
    return String.fromCharCode(parseInt(digits, 16));
  }

  #value(): unknown {
    this.#match(/\s*/);
    const first = this.#text.charAt(this.#at);
    if (first === '"' || first === "'") return this.#string();
    if (first in closings) return this.#collection(first);
    const number = this.#match(/[-+]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/);
    if (number !== undefined) return Number(number.replaceAll("_", ""));
    const word = this.#match(/[A-Za-z]+/) ?? "";
    if (!pythonWords.has(word)) throw new Error("a value is missing");
    return pythonWords.get(word);
  }
  #collection(opening: string): unknown {
    this.#at++;
    const closing = closings[opening] ?? "";
    const values: unknown[] = [];
    if (opening !== "{") {
      this.#items(closing, () => void values.push(this.#value()));
      return values;
    }
    const entries: [string, unknown][] = [];
    this.#items(closing, () => {
      const key = String(this.#value());
      this.#expect(":");
      entries.push([key, this.#value()]);
    });
    return Object.fromEntries(entries);
  }

  /** A name of any characters but those that Python writes around it. */
  #name(): string {
    this.#match(/\s*/);
    const name = this.#match(/[^()[\]{}'",=]+/)?.trimEnd();
    if (name === undefined) throw new Error("a name is missing");
    return name;
  }
  #call(): void {
    const name = this.#name();
    this.#expect("(");
    const entries: [string, unknown][] = [];
    this.#begun = { name, entries };
    this.#items(")", () => {
      const key = this.#name();
      this.#expect("=");
      entries.push([key, this.#value()]);
    });
    this.#begun = undefined;
    this.#calls.push({ name, arguments: Object.fromEntries(entries) });
  }

  /** A list of calls, or one after another. */
  read(): ParsedCall[] {
    if (this.#accept("[")) this.#items("]", () => this.#call());
    else
      do {
        this.#call();
        this.#match(/\s*/);
      } while (this.#at < this.#text.length);
    this.#match(/\s*/);
    if (this.#at < this.#text.length || this.#calls.length === 0) throw new Error("these are no calls");
    return this.#calls;
  }

  /** A single value. */
  readValue(): unknown {
    const value = this.#value();
    this.#match(/\s*/);
    if (this.#at < this.#text.length) throw new Error("text follows the value");
    return value;
  }

  /** The same for truncated text. */
  readCut(): CutPythonCalls {
    try {
      return { calls: this.read(), begun: undefined };
    } catch {
      const { name, entries } = this.#begun ?? {};
      return {
        calls: this.#calls,
        begun: name === undefined ? undefined : { name, arguments: Object.fromEntries(entries ?? []) },
      };
    }
  }
}

/** The calls, if the whole text consists of them; otherwise undefined. */
export function pythonCalls(text: string): ParsedCall[] | undefined {
  try {
    return new PythonReader(text).read();
  } catch {
    return undefined;
  }
}

/** The value of a literal in Python; undefined for other text. */
export function pythonValue(text: string): unknown {
  try {
    return new PythonReader(text).readValue();
  } catch {
    return undefined;
  }
}

/** Calls in truncated text. */
export const cutPythonCalls = (text: string): CutPythonCalls => new PythonReader(text).readCut();
