/** Cuts a template into texts and the tokens of its tags. Lines are trimmed as with `trim_blocks` and `lstrip_blocks`. */
import { SourceCursor } from "../../source-cursor.ts";
import { LineError } from "../line-error.ts";
import { isBlank, strip } from "../text/strip.ts";
import { unescapeText } from "./unescape-text.ts";

export interface TemplateToken {
  readonly type: "text" | "begin" | "end" | "name" | "string" | "integer" | "float" | "operator" | "eof";
  readonly text: string;
  readonly line: number;
}

const blank = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const rawTag = new RegExp(`${blank}*raw${blank}*(?:-%\\}|%\\})`, "y");
const endOfRaw = new RegExp(`\\{%([-+]?)${blank}*endraw${blank}*([-+]?)%\\}`, "g");
const endOfComment = /([-+]?)#\}/g;
const opening = /\{[{%#]/g;

const tokenForms: readonly (readonly [TemplateToken["type"], RegExp])[] = [
  ["float", /(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy],
  ["integer", /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy],
  ["name", /[\p{L}\p{N}\p{M}_]+/uy],
  ["string", /'[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"/y],
  ["operator", /\/\/|\*\*|[=!<>]=|[-+/*%~[\](){}<>=.:|,;]/y],
];

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

class TokenReader extends SourceCursor {
  readonly #tokens: TemplateToken[] = [];
  /** Whether what was read last ended a line: blanks before a tag at its beginning are dropped. */
  #startsLine = true;

  read(): readonly TemplateToken[] {
    for (let found; (found = this.match(opening)) !== null;) this.#readTag(found[0], found.index);
    this.#addText(this.source.slice(this.at));
    this.#add("eof", "");
    return this.#tokens;
  }

  #add(type: TemplateToken["type"], text: string): void {
    this.#tokens.push({ type, text, line: this.line });
  }

  #addText(text: string): void {
    if (text !== "") this.#add("text", text);
    this.countLines(text);
  }

  #fail(message: string): never {
    throw new LineError(this.line, message);
  }

  #readTag(mark: string, at: number): void {
    const sign = /[-+]/.exec(this.source[at + 2] ?? "")?.[0] ?? "";
    this.#addTextBefore(at, sign, mark !== "{{");
    this.at = at + 2 + sign.length;
    this.#startsLine = false;
    if (mark === "{#") this.#skipComment();
    else if (mark === "{%" && this.#readRaw()) return;
    else this.#readInside(mark);
  }

  /** The text between the last tag and the next one, without the blanks that belong to neither. */
  #addTextBefore(at: number, sign: string, isStatement: boolean): void {
    const text = this.source.slice(this.at, at);
    const kept =
      sign === "-" ? strip(text, undefined, "right") : sign === "" && isStatement ? this.#indented(text) : text;
    this.#addText(kept);
    this.countLines(text.slice(kept.length));
  }

  /** The text without the blanks of its last line, if that has nothing else. */
  #indented(text: string): string {
    const lineAt = text.lastIndexOf("\n") + 1;
    if (lineAt === 0 && !this.#startsLine) return text;
    return strip(text.slice(lineAt), undefined) === "" ? text.slice(0, lineAt) : text;
  }

  /** Passes the end of a tag: `-` takes all blanks behind it, a statement also the end of its line. */
  #passEnd(end: number, sign: string, isStatement: boolean): void {
    let at = end;
    if (sign === "-") while (at < this.source.length && isBlank(this.source[at] as string)) at++;
    else if (sign === "" && isStatement && this.source[at] === "\n") at++;
    this.moveTo(at);
    this.#startsLine = this.source[at - 1] === "\n";
  }

  #skipComment(): true {
    const found = this.match(endOfComment);
    if (found === null) return this.#failBeforeEnd("Missing end of comment tag");
    this.#passEnd(found.index + found[0].length, found[1] ?? "", true);
    return true;
  }

  /** Reads `{% raw %}…{% endraw %}`, if that is the tag. */
  #readRaw(): boolean {
    const tag = this.match(rawTag)?.[0];
    if (tag === undefined) return false;
    this.#passEnd(this.at + tag.length, tag.endsWith("-%}") ? "-" : "+", true);
    const found = this.match(endOfRaw);
    if (found === null) return this.#failBeforeEnd("Missing end of raw directive");
    const [all, before = "", behind = ""] = found;
    this.#addTextBefore(found.index, before, true);
    this.at = found.index;
    this.#passEnd(found.index + all.length, behind, true);
    return true;
  }

  /** Jinja2 misses no end where nothing is left. */
  #failBeforeEnd(message: string): true {
    if (!this.isAtEnd) this.#fail(message);
    return true;
  }

  #readInside(mark: string): void {
    this.#add("begin", mark);
    const end = mark === "{%" ? "%}" : "}}";
    const open: string[] = [];
    for (;;) {
      while (!this.isAtEnd && isBlank(this.source[this.at] as string)) this.moveTo(this.at + 1);
      if (this.isAtEnd) return;
      if (open.length === 0 && this.#readEnd(end)) return;
      const token = this.#readToken();
      if (token.type === "operator") this.#balance(token.text, open);
      this.#tokens.push(token);
    }
  }

  #readEnd(end: string): boolean {
    const first = this.source[this.at];
    const isSigned = first === "-" || (first === "+" && end === "%}");
    const at = isSigned ? this.at + 1 : this.at;
    if (!this.source.startsWith(end, at)) return false;
    this.#add("end", end);
    this.#passEnd(at + 2, isSigned ? first : "", end === "%}");
    return true;
  }

  #readToken(): TemplateToken {
    for (const [type, form] of tokenForms) {
      if (type === "float" && this.source[this.at - 1] === ".") continue;
      const text = this.match(form)?.[0];
      if (text === undefined) continue;
      const line = this.line;
      this.moveTo(this.at + text.length);
      if (type === "string")
        return { type, text: unescapeText(text.slice(1, -1), (message) => this.#fail(message)), line };
      if (type === "name" && !/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text))
        this.#fail("Invalid character in identifier");
      return { type, text, line };
    }
    const character = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
    return this.#fail(`unexpected char '${character}' at ${this.at}`);
  }

  #balance(text: string, open: string[]): void {
    const closer = closers[text];
    if (closer !== undefined) open.push(closer);
    if (text !== ")" && text !== "]" && text !== "}") return;
    const expected = open.pop();
    if (expected === undefined) this.#fail(`unexpected '${text}'`);
    if (expected !== text) this.#fail(`unexpected '${text}', expected '${expected}'`);
  }
}

/** @throws LineError for a text that has no tokens */
export function tokenizeTemplate(template: string): readonly TemplateToken[] {
  const source = template.replace(/\r\n?/g, "\n");
  return new TokenReader(source.endsWith("\n") ? source.slice(0, -1) : source).read();
}
