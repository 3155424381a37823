/**
 * Regular expressions as grammars of JSON strings: alternatives, groups, classes and repetition. What a grammar has no
 * word for (looking around, references back, word boundaries) is an Error.
 */
import { oneOf, times } from "./grammar-rules.ts";
import { mostRepetitions, sizeOf } from "./grammar-size.ts";

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

/** Groups in groups. */
const deepest = 100;
/** Characters, each repetition counted. */
const largest = 50_000;
/**
 * Ways in which a text may have been matched so far, each of which the engine follows for every token: a part that is
 * optional or repeated has one for each time that it may be left out.
 */
const mostWays = 1000;

/** The grammar of a part, and the ways through it. */
interface Part {
  readonly body: string;
  readonly ways: number;
}

const sum = (parts: readonly Part[]) => parts.reduce((total, { ways }) => total + ways, 0);

class PatternReader {
  readonly #text: readonly string[];
  #at = 0;
  #depth = 0;
  /** Parts of which there may be more or fewer: one alone is followed in one way, however often it may stand there. */
  #varying = 0;
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
    const { body, ways } = this.#alternatives(true);
    if (this.#next !== undefined) throw new Error(`"${this.#next}" is not expected`);
    if (sizeOf(body) > largest) throw new Error(`it stands for more than ${String(largest)} characters`);
    if (this.#varying > 1 && ways > mostWays)
      throw new Error(`a text can match it in more than ${String(mostWays)} ways`);
    return body;
  }

  #alternatives(isTop: boolean): Part {
    const all: Part[] = [];
    do all.push(this.#sequence(isTop));
    while (this.#accept("|"));
    if (all.length > 1) this.#varying++;
    return { body: oneOf(all.map(({ body }) => body)), ways: sum(all) + (all.length > 1 ? all.length : 0) };
  }

  #anything(): Part {
    this.#varying++;
    return { body: `${anything}*`, ways: 1 };
  }

  #sequence(isTop: boolean): Part {
    const items: Part[] = [];
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
    if (isTop && !isFromStart) items.unshift(this.#anything());
    if (isTop && !isToEnd) items.push(this.#anything());
    return { body: items.length === 0 ? '""' : items.map(({ body }) => body).join(" "), ways: sum(items) };
  }

  #repeated(): Part {
    const atom = this.#atom();
    const [min, max] = this.#quantifier();
    this.#accept("?");
    if (min === 1 && max === 1) return atom;
    if (Math.max(min, max ?? 0) > mostRepetitions)
      throw new Error(`it repeats more than ${String(mostRepetitions)} times`);
    if (min !== max || atom.ways > 0) this.#varying++;
    return { body: times(atom.body, min, max), ways: atom.ways * (max ?? Math.max(1, min)) + ((max ?? min + 1) - min) };
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

  #atom(): Part {
    const character = this.#take();
    return character === "(" ? this.#group() : { body: this.#character(character), ways: 0 };
  }

  #character(character: string): string {
    if (character === "[") return this.#class();
    if (character === ".") return anything;
    if (character === "\\") return this.#escape();
    if ("*+?^$".includes(character)) throw new Error(`"${character}" is not expected`);
    return characterBody(character);
  }

  #group(): Part {
    if (++this.#depth > deepest) throw new Error(`groups are nested deeper than ${String(deepest)} levels`);
    if (this.#accept("?") && !this.#accept(":")) {
      const name = /^<\w+>/.exec(this.#text.slice(this.#at, this.#at + 60).join(""));
      if (name === null) throw new Error("it looks ahead or behind");
      this.#at += name[0].length;
    }
    const { body, ways } = this.#alternatives(false);
    if (!this.#accept(")")) throw new Error("a group does not end");
    this.#depth--;
    return { body: `(${body})`, ways };
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

/** @throws SyntaxError for what is no regular expression, with or without the flag for Unicode */
function checkSyntax(pattern: string): void {
  try {
    void new RegExp(pattern, "u");
  } catch {
    void new RegExp(pattern);
  }
}

/** Nobody writes longer ones by hand. */
const longest = 10_000;

/** The body of a rule for the inside of JSON strings that match. @throws Error that says what cannot be expressed */
export function patternGrammar(pattern: string): string {
  if (pattern.length > longest) throw new Error(`it has more than ${String(longest)} characters`);
  checkSyntax(pattern);
  return new PatternReader(pattern).read();
}
