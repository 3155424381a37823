import { LineError } from "../line-error.ts";
import type { TemplateToken } from "./tokenize-template.ts";

/** The parser's place among the tokens. */
export class TokenCursor {
  readonly #tokens: readonly TemplateToken[];
  #at = 0;
  constructor(tokens: readonly TemplateToken[]) {
    this.#tokens = tokens;
  }

  get current(): TemplateToken {
    return this.#tokens[this.#at] as TemplateToken;
  }
  get following(): TemplateToken {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)] as TemplateToken;
  }
  next(): TemplateToken {
    const token = this.current;
    if (token.type !== "eof") this.#at++;
    return token;
  }

  is(type: TemplateToken["type"], ...texts: readonly string[]): boolean {
    const { current } = this;
    return current.type === type && (texts.length === 0 || texts.includes(current.text));
  }
  isOperator = (...texts: readonly string[]): boolean => this.is("operator", ...texts);
  isName = (...texts: readonly string[]): boolean => this.is("name", ...texts);

  skipIf(type: "operator" | "name", text: string): boolean {
    const isThere = this.is(type, text);
    if (isThere) this.next();
    return isThere;
  }
  /** @throws LineError for another token */
  expect(type: TemplateToken["type"], text?: string): TemplateToken {
    if (!this.is(type, ...(text === undefined ? [] : [text])))
      this.fail(`expected ${text === undefined ? `a ${type}` : `'${text}'`}, got ${this.described}`);
    return this.next();
  }

  /** All up to the end of the tag, with commas between. */
  separated<T>(parse: () => T): readonly T[] {
    const items: T[] = [];
    while (!this.is("end")) {
      if (items.length > 0) this.expect("operator", ",");
      items.push(parse());
    }
    return items;
  }

  get described(): string {
    const { type, text } = this.current;
    if (type === "eof") return "the end of the template";
    return type === "text" ? "a text" : `'${text}'`;
  }
  fail(message: string, line = this.current.line): never {
    throw new LineError(line, message);
  }
}
