/**
 * Regular expressions as grammars of JSON strings: alternatives, groups, classes and repetition. What a grammar has no
 * word for (looking around, references back, word boundaries) is an Error.
 */
import { mostRepetitions, oneOf, times } from "./grammar-rules.ts";

/** Characters that stand for themselves in a JSON string: those that need escapes are left out of classes. */
const plainClass = (inside: string) => `[${inside}]`;
const anything = '[^"\\\\\\x00-\\x1F\\x7F]';

const classes: Readonly<Record<string, string>> = { d: "0-9", w: "a-zA-Z0-9_" };
const complements: Readonly<Record<string, string>> = { D: "0-9", W: "a-zA-Z0-9_", S: " " };
const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f" };

/** A character inside brackets. */
function inClass(character: string): string {
  if (/[\]\\^-]/.test(character)) return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return character;
}

/** A character as it stands in a JSON string, quoted for the grammar. */
function characterBody(character: string): string {
  const written = JSON.stringify(character).slice(1, -1);
  return `"${written.replace(/["\\]/g, "\\$&")}"`;
}

class PatternReader {
  readonly #text: readonly string[];
  #at = 0;
  constructor(pattern: string) {
    this.#text = [...pattern];
  }
  get #next(): string | undefined {
    return this.#text[this.#at];
  }
  #take(): string {
    const character = this.#next;
    if (character === undefined) throw new Error("it ends too early");
    this.#at++;
    return character;
  }
  #accept(text: string): boolean {
    if (
      !this.#text
        .slice(this.#at, this.#at + text.length)
        .join("")
        .startsWith(text)
    )
      return false;
    this.#at += text.length;
    return true;
  }

  /** The whole pattern; it may match anywhere in the string unless it is anchored. */
  read(): string {
    const body = this.#alternatives(true);
    if (this.#next !== undefined) throw new Error(`"${this.#next}" is not expected`);
    return body;
  }

  #alternatives(isTop: boolean): string {
    const all: string[] = [];
    do all.push(this.#sequence(isTop));
    while (this.#accept("|"));
    return oneOf(all);
  }

  #sequence(isTop: boolean): string {
    const items: string[] = [];
    const isFromStart = isTop && this.#accept("^");
    let isToEnd = false;
    while (this.#next !== undefined && this.#next !== "|" && this.#next !== ")") {
      if (isTop && this.#accept("$")) {
        isToEnd = true;
        if (this.#next !== undefined && this.#next !== "|") throw new Error('"$" stands before its end');
        break;
      }
      items.push(this.#repeated());
    }
    if (isTop && !isFromStart) items.unshift(`${anything}*`);
    if (isTop && !isToEnd) items.push(`${anything}*`);
    return items.length === 0 ? '""' : items.join(" ");
  }

  #repeated(): string {
    const atom = this.#atom();
    const [min, max] = this.#quantifier();
    this.#accept("?");
    if (min === 1 && max === 1) return atom;
    if (Math.max(min, max ?? 0) > mostRepetitions)
      throw new Error(`it repeats more than ${String(mostRepetitions)} times`);
    return times(atom, min, max);
  }

  #quantifier(): [min: number, max: number | undefined] {
    if (this.#accept("*")) return [0, undefined];
    if (this.#accept("+")) return [1, undefined];
    if (this.#accept("?")) return [0, 1];
    const counted = /^\{(\d+)(,(\d*))?\}/.exec(this.#text.slice(this.#at, this.#at + 20).join(""));
    if (counted === null) return [1, 1];
    this.#at += counted[0].length;
    const min = Number(counted[1]);
    if (counted[2] === undefined) return [min, min];
    return [min, counted[3] === "" ? undefined : Number(counted[3])];
  }

  #atom(): string {
    const character = this.#take();
    if (character === "(") return this.#group();
    if (character === "[") return this.#class();
    if (character === ".") return anything;
    if (character === "\\") return this.#escape();
    if ("*+?^$".includes(character)) throw new Error(`"${character}" is not expected`);
    return characterBody(character);
  }

  #group(): string {
    if (this.#accept("?") && !this.#accept(":")) {
      const name = /^<\w+>/.exec(this.#text.slice(this.#at, this.#at + 60).join(""));
      if (name === null) throw new Error("it looks ahead or behind");
      this.#at += name[0].length;
    }
    const body = this.#alternatives(false);
    if (!this.#accept(")")) throw new Error("a group does not end");
    return `(${body})`;
  }

  #escape(): string {
    const letter = this.#take();
    const known = classes[letter];
    if (known !== undefined) return plainClass(known);
    const not = complements[letter];
    if (not !== undefined) return plainClass(`^${not}"\\\\\\x00-\\x1F\\x7F`);
    if (letter === "s") return '(" " | "\\\\t" | "\\\\n")';
    return characterBody(this.#escaped(letter));
  }

  /** The one character that an escape means. */
  #escaped(letter: string): string {
    const control = controls[letter];
    if (control !== undefined) return control;
    if (letter === "u" || letter === "x") {
      const digits = Array.from({ length: letter === "u" ? 4 : 2 }, () => this.#take()).join("");
      if (!/^[\da-f]+$/i.test(digits)) throw new Error(`\\${letter} needs hexadecimal digits`);
      return String.fromCharCode(parseInt(digits, 16));
    }
    if (/[a-zA-Z0-9]/.test(letter)) throw new Error(`\\${letter} has no counterpart`);
    return letter;
  }

  #class(): string {
    const isNegated = this.#accept("^");
    let inside = "";
    const escaped: string[] = [];
    for (let character = this.#take(); character !== "]"; character = this.#take()) {
      if (character === "\\") {
        const letter = this.#take();
        const known = letter === "s" ? " " : classes[letter];
        if (known !== undefined) {
          inside += known;
          continue;
        }
        character = letter === "b" || complements[letter] !== undefined ? this.#refuse(letter) : this.#escaped(letter);
      }
      const written = JSON.stringify(character).slice(1, -1);
      if (written.length > 1) escaped.push(characterBody(character));
      else if (this.#next === "-" && this.#text[this.#at + 1] !== "]") {
        this.#take();
        const last = this.#take();
        inside += `${inClass(character)}-${inClass(last === "\\" ? this.#escaped(this.#take()) : last)}`;
      } else inside += inClass(character);
    }
    if (isNegated) return plainClass(`^${inside}"\\\\\\x00-\\x1F\\x7F`);
    const plain = inside === "" ? [] : [this.#withoutEscapes(inside)];
    if (plain.length + escaped.length === 0) throw new Error("a class is empty");
    return oneOf([...plain, ...escaped]);
  }

  /** A range may span characters that JSON writes as escapes: such classes are not taken. */
  #withoutEscapes(inside: string): string {
    for (const [range] of inside.matchAll(/\\x..-\\x..|.-./g)) {
      const ends = range.replace(/\\x(..)/g, (_all, digits: string) => String.fromCharCode(parseInt(digits, 16)));
      const [from = "", to = ""] = [ends.charAt(0), ends.charAt(2)];
      if ((from <= '"' && '"' <= to) || (from <= "\\" && "\\" <= to))
        throw new Error(`the range ${range} holds quotes`);
    }
    return plainClass(inside);
  }

  #refuse(letter: string): never {
    throw new Error(`\\${letter} in a class has no counterpart`);
  }
}

/** The body of a rule for the inside of JSON strings that match. @throws Error that says what cannot be expressed */
export const patternGrammar = (pattern: string) => new PatternReader(pattern).read();
