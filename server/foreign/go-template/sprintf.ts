/** The function printf of Go templates. */
import { printValue } from "./format-values.ts";
import type { Flags } from "./format-numbers.ts";
import { tooManyCharacters } from "../too-large-error.ts";
import { goTypeName, type GoValue } from "./go-values.ts";

/** The largest width and precision of Go. */
const mostWidth = 1_000_000;
const flagNames: Readonly<Record<string, keyof Flags>> = {
  "-": "minus",
  "+": "plus",
  "#": "sharp",
  " ": "space",
  "0": "zero",
};

class Formatter {
  readonly #format: string;
  readonly #values: readonly GoValue[];
  #at = 0;
  #next = 0;
  /** Whether an index has chosen the values: then not all of them need be used. */
  #isReordered = false;
  #isBadIndex = false;

  constructor(format: string, values: readonly GoValue[]) {
    this.#format = format;
    this.#values = values;
  }

  text(mostCharacters: number): string {
    let text = "";
    while (this.#at < this.#format.length) {
      const percent = this.#format.indexOf("%", this.#at);
      const end = percent < 0 ? this.#format.length : percent;
      text += this.#format.slice(this.#at, end);
      this.#at = end + 1;
      if (percent >= 0) text += this.#directive();
      // Few characters of a width make many.
      if (text.length > mostCharacters) throw tooManyCharacters(mostCharacters);
    }
    const rest = this.#values.slice(this.#next);
    if (this.#isReordered || rest.length === 0) return text;
    const extra = rest.map((value) =>
      value === null || value === undefined ? "<nil>" : `${goTypeName(value)}=${printValue(value, "v", {})}`,
    );
    return `${text}%!(EXTRA ${extra.join(", ")})`;
  }

  #directive(): string {
    const flags: { -readonly [Name in keyof Flags]: Flags[Name] } = {};
    this.#isBadIndex = false;
    for (let name; (name = flagNames[this.#format[this.#at] ?? ""]) !== undefined; this.#at++)
      Object.assign(flags, { [name]: true });
    let hasIndex = this.#index();
    let problem = "";
    const width = this.#number("WIDTH", hasIndex);
    problem += width.problem;
    if (width.value !== undefined) {
      flags.width = Math.abs(width.value);
      if (width.value < 0) flags.minus = true;
    }
    if (width.isFromValue) hasIndex = false;
    if (this.#format[this.#at] === ".") {
      this.#at++;
      if (hasIndex) this.#isBadIndex = true;
      hasIndex = this.#index();
      const precision = this.#number("PREC", hasIndex);
      problem += precision.problem;
      flags.precision = precision.value ?? (precision.isFromValue ? undefined : 0);
      if ((flags.precision ?? 0) < 0) flags.precision = undefined;
      if (precision.isFromValue) hasIndex = false;
    }
    if (!hasIndex) hasIndex = this.#index();
    // A minus means that blanks are added behind, where no zeros may stand.
    if (flags.minus === true) flags.zero = false;
    return problem + this.#verb(flags);
  }

  #verb(flags: Flags): string {
    const verb = String.fromCodePoint(this.#format.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#format.length) return "%!(NOVERB)";
    this.#at += verb.length;
    if (verb === "%") return "%";
    if (this.#isBadIndex) return `%!${verb}(BADINDEX)`;
    if (this.#next >= this.#values.length) return `%!${verb}(MISSING)`;
    const named = verb === "v" && flags.plus === true;
    return printValue(this.#values[this.#next++], verb, named ? { ...flags, plus: false, named } : flags);
  }

  /** `[n]`: the value that is used next. */
  #index(): boolean {
    if (this.#format[this.#at] !== "[") return false;
    this.#isReordered = true;
    const close = this.#format.indexOf("]", this.#at);
    const number = Number(this.#format.slice(this.#at + 1, close) || NaN);
    this.#at = close < 0 ? this.#at + 1 : close + 1;
    if (close < 0 || !Number.isInteger(number) || number < 1 || number > this.#values.length) this.#isBadIndex = true;
    else this.#next = number - 1;
    return true;
  }

  /** A width or precision: digits, or a star for a value. */
  #number(name: string, hasIndex: boolean) {
    const isFromValue = this.#format[this.#at] === "*";
    if (isFromValue) {
      this.#at++;
      const value = this.#next < this.#values.length ? this.#values[this.#next++] : undefined;
      const isUsable = typeof value === "bigint" && value >= -mostWidth && value <= mostWidth;
      return { value: isUsable ? Number(value) : undefined, isFromValue, problem: isUsable ? "" : `%!(BAD${name})` };
    }
    const digits = /^\d*/.exec(this.#format.slice(this.#at, this.#at + 8))?.[0] ?? "";
    this.#at += digits.length;
    if (digits !== "" && hasIndex) this.#isBadIndex = true;
    const isUsable = digits !== "" && Number(digits) <= mostWidth;
    return { value: isUsable ? Number(digits) : undefined, isFromValue, problem: "" };
  }
}

/** @throws TooLargeError for a text of more than `mostCharacters` */
export const sprintf = (format: string, values: readonly GoValue[], mostCharacters: number) =>
  new Formatter(format, values).text(mostCharacters);
