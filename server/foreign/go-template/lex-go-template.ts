/** Cuts a Go template into texts and the tokens of its actions. */
import { strip } from "../jinja/text/strip.ts";
import { SourceCursor } from "../source-cursor.ts";
import { GoError } from "./go-values.ts";

export interface GoToken {
  readonly kind:
    | "text"
    | "open"
    | "close"
    | "space"
    | "field"
    | "variable"
    | "word"
    | "number"
    | "character"
    | "quoted"
    | "raw"
    /** Any of `. | ( ) , = :=` */
    | "mark"
    | "end of template";
  readonly text: string;
  readonly line: number;
}

const blank = " \t\r\n";
const isBlank = (character: string | undefined) => character !== undefined && blank.includes(character);

const patterns: readonly (readonly [kind: GoToken["kind"], pattern: RegExp])[] = [
  ["space", /[ \t\r\n]+/y],
  ["quoted", /"(?:[^"\\\n]|\\[^\n])*"/y],
  ["raw", /`[^`]*`/y],
  ["character", /'(?:[^'\\\n]|\\[^\n])+'/y],
  ["number", /[+-]?(?:\d|\.\d)[\w.]*(?:(?<=[eEpP])[+-][\w.]*)?/y],
  ["field", /\.[\p{L}_][\p{L}\p{Nd}_]*/uy],
  ["variable", /\$[\p{L}\p{Nd}_]*/uy],
  ["word", /[\p{L}_][\p{L}\p{Nd}_]*/uy],
  ["mark", /:=|[.|(),=]/y],
];
/** Tokens that only these characters may follow: `.a.b`, but not `.a"b"`. */
const bounded = new Set<GoToken["kind"]>(["field", "variable", "word"]);
const isBound = (next: string | undefined) => next === undefined || `${blank}.,|:)(`.includes(next);

class Lexer extends SourceCursor {
  readonly #tokens: GoToken[] = [];

  tokens(): readonly GoToken[] {
    let trims = false;
    while (!this.isAtEnd) {
      const open = this.source.indexOf("{{", this.at);
      const end = open < 0 ? this.source.length : open;
      const trimsBefore = this.source.startsWith("{{-", end) && isBlank(this.source[end + 3]);
      this.#text(this.source.slice(this.at, end), trims, trimsBefore);
      this.at = end;
      if (open < 0) break;
      this.#advance(trimsBefore ? 4 : 2);
      trims = this.source.startsWith("/*", this.at) ? this.#comment() : this.#action();
    }
    this.#push("end of template", "");
    return this.#tokens;
  }

  #text(text: string, trimsStart: boolean, trimsEnd: boolean): void {
    const head = trimsStart ? strip(text, blank, "left") : text;
    const kept = trimsEnd ? strip(head, blank, "right") : head;
    if (kept !== "") this.#push("text", kept);
    this.countLines(text);
  }

  /** Returns whether the text that follows is trimmed. */
  #comment(): boolean {
    const end = this.source.indexOf("*/", this.at);
    if (end < 0) throw this.#error("unclosed comment");
    this.#advance(end + 2 - this.at);
    const width = this.#closing();
    if (width === 0) throw this.#error("comment ends before closing delimiter");
    this.#advance(width);
    return width > 2;
  }

  /** Returns whether the text that follows is trimmed. */
  #action(): boolean {
    this.#push("open", "{{");
    for (;;) {
      const width = this.#closing();
      if (width > 0) {
        this.#push("close", "}}");
        this.#advance(width);
        return width > 2;
      }
      this.#token();
    }
  }

  /** Characters of a closing delimiter here, with its trim marker; 0 without one. */
  #closing(): number {
    if (isBlank(this.source[this.at]) && this.source.startsWith("-}}", this.at + 1)) return 4;
    return this.source.startsWith("}}", this.at) ? 2 : 0;
  }

  #token(): void {
    if (this.isAtEnd) throw this.#error("unclosed action");
    for (const [kind, pattern] of patterns) {
      const text = this.#found(kind, this.match(pattern)?.[0]);
      if (text === undefined) continue;
      const next = this.source[this.at + text.length];
      if (bounded.has(kind) && !isBound(next) && !this.source.startsWith("}}", this.at + text.length))
        throw this.#error(`bad character ${JSON.stringify(next)}`);
      this.#push(kind, text);
      this.#advance(text.length);
      return;
    }
    throw this.#error(`unexpected ${JSON.stringify(this.source[this.at])} in an action`);
  }

  /** Blanks before a closing delimiter with a trim marker are the marker's, the last of them. */
  #found(kind: GoToken["kind"], text: string | undefined): string | undefined {
    if (kind !== "space" || text === undefined) return text;
    return this.source.startsWith("-}}", this.at + text.length) ? text.slice(0, -1) : text;
  }

  #push(kind: GoToken["kind"], text: string): void {
    this.#tokens.push({ kind, text, line: this.line });
  }

  #advance(count: number): void {
    this.moveTo(this.at + count);
  }

  #error(message: string): GoError {
    return new GoError(`line ${String(this.line)}: ${message}`);
  }
}

/** @throws GoError */
export const lexGoTemplate = (source: string): readonly GoToken[] => new Lexer(source).tokens();
