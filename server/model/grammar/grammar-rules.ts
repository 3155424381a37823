/** Rules of a grammar in llama.cpp's GBNF, collected while it is built. */
import { GrammarLimitError, grammarSize } from "./grammar-size.ts";

export interface GrammarRules {
  /** Adds a rule and returns its name, which is made from the hint. @throws GrammarLimitError */
  add(hint: string, body: string): string;
  /** A name for a rule that `fill` gives its body, which may itself refer to it. */
  reserve(hint: string): string;
  /** @throws GrammarLimitError */
  fill(name: string, body: string): void;
  /**
   * The rule for `key`; its body is made once, and may itself refer to it. Where `body` throws, it throws the same for every
   * other call.
   * @throws GrammarLimitError
   */
  once(key: unknown, hint: string, body: () => string): string;
  /** The same for a rule that several things make together, in any order. */
  onceForAll(keys: readonly unknown[], hint: string, body: () => string): string;
  /** The whole grammar, which generates what `root` describes. */
  text(root: string): string;
}

/** The engine reads so many characters in some 50 ms, in which nobody else gets a token. */
const largest = 1_000_000;
/** Characters of an element, at most on average. */
const charactersOfElement = 2;
/** The most characters of a name that comes from a schema. */
const longestName = 40;

/** Stands for a rule whose body could not be made: what refers to it can never be written. */
const noText = "[^\\x00-\\U0010FFFF]";

export function createGrammarRules(): GrammarRules {
  const bodies = new Map<string, string>();
  const named = new Map<unknown, string | Error>();
  const counts = new Map<string, number>();
  const numbers = new Map<unknown, number>();
  let size = 0;

  function freeName(hint: string): string {
    const words = hint.slice(0, longestName).match(/[a-zA-Z0-9]+/g) ?? ["rule"];
    const base = words.join("-");
    for (;;) {
      const count = counts.get(base) ?? 0;
      counts.set(base, count + 1);
      const name = count === 0 ? base : `${base}-${String(count)}`;
      if (name !== "root" && !bodies.has(name)) return name;
    }
  }
  function measured(body: string): string {
    size += Math.max(grammarSize(body), body.length / charactersOfElement);
    if (size > largest) throw new GrammarLimitError(`its grammar has more than ${String(largest)} characters`);
    return body;
  }
  function reserve(hint: string): string {
    const name = freeName(hint);
    bodies.set(name, noText);
    return name;
  }
  const fill = (name: string, body: string) => void bodies.set(name, measured(body));
  function once(key: unknown, hint: string, body: () => string): string {
    const known = named.get(key);
    if (typeof known === "string") return known;
    if (known !== undefined) throw known;
    const name = reserve(hint);
    named.set(key, name);
    try {
      fill(name, body());
    } catch (error) {
      named.set(key, error as Error);
      throw error;
    }
    return name;
  }
  function numberOf(key: unknown): number {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  }

  return {
    add(hint, body) {
      const name = reserve(hint);
      fill(name, body);
      return name;
    },
    reserve,
    fill,
    once,
    onceForAll: (keys, hint, body) => once([...new Set(keys.map(numberOf))].sort((a, b) => a - b).join(), hint, body),
    text: (root) => [`root ::= ${root}`, ...[...bodies].map(([name, body]) => `${name} ::= ${body}`)].join("\n"),
  };
}

/** Exactly this text. Characters that end a literal, or the grammar's text itself, are written by their numbers. */
export const literal = (text: string) =>
  `"${text.replace(/["\\\p{Cc}]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`)}"`;

/** Beyond so many texts that begin with one another, those that are left stand side by side. */
const deepest = 100;

/**
 * One of these texts, each with its continuation. A common beginning stands once: the engine tries every alternative
 * for every token, and 20,000 side by side take it seconds.
 */
export function oneOfTexts(texts: readonly string[], followOf: (text: string) => string = () => ""): string {
  const sorted = [...new Set(texts)].sort();
  const textAt = (index: number) => sorted[index] ?? "";
  const restOf = (text: string, at: number) => `${literal(text.slice(at))} ${followOf(text)}`.trimEnd();

  /** Those from `first` to before `end`, from their character `at` on, up to which they are alike. */
  function bodyOf(first: number, end: number, at: number, depth: number): string {
    if (end - first === 1) return restOf(textAt(first), at);
    const head = textAt(first).slice(at, commonEnd(textAt(first), textAt(end - 1), at));
    const next = at + head.length;
    if (depth > deepest) return oneOf(sorted.slice(first, end).map((text) => restOf(text, at)));
    const endsHere = textAt(first).length === next;
    const bodies = endsHere ? [restOf(textAt(first), next)] : [];
    for (let from = endsHere ? first + 1 : first; from < end;) {
      const character = characterAt(textAt(from), next);
      let to = from + 1;
      while (to < end && characterAt(textAt(to), next) === character) to++;
      bodies.push(bodyOf(from, to, next, depth + 1));
      from = to;
    }
    const rest = `(${bodies.join(" | ")})`;
    return head === "" ? rest : `${literal(head)} ${rest}`;
  }
  return sorted.length === 0 ? '""' : bodyOf(0, sorted.length, 0, 0);
}

const characterAt = (text: string, at: number) => text.codePointAt(at);

/** Where two texts that are alike up to `at` begin to differ, never within a character. */
function commonEnd(a: string, b: string, at: number): number {
  let end = at;
  for (;;) {
    const character = characterAt(a, end);
    if (character === undefined || character !== characterAt(b, end)) return end;
    end += character > 0xffff ? 2 : 1;
  }
}

/** One of these; each a rule's body. */
export const oneOf = (bodies: readonly string[]) =>
  bodies.length === 1 ? (bodies[0] ?? "") : `(${bodies.join(" | ")})`;

/** `body` so many times; `max` undefined: any number. */
export function times(body: string, min: number, max: number | undefined): string {
  if (max === 0) return '""';
  if (min === 1 && max === 1) return body;
  if (max === undefined && min === 0) return `${body}*`;
  return `${body}{${String(min)},${max === undefined ? "" : String(max)}}`;
}
