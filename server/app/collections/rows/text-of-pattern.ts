/**
 * Generates text for a regular expression of literals, classes, groups, alternatives and repetition, which covers the
 * usual patterns of schemas. It gives up on other syntax (look-around, back-references).
 */
import type { AST } from "@eslint-community/regexpp";
import { parsePattern } from "../../../foreign/parse-pattern.ts";

/** A random whole number from `min` to `max`, both included. */
export type Random = (min: number, max: number) => number;

/** Ranges of code points, both ends included. */
type Range = readonly [first: number, last: number];

const repeatsAtMost = 8;
/** Limits repetitions, because more would take too long. */
const mostRepeats = 20_000;
const range = (first: string, last: string): Range => [first.charCodeAt(0), last.charCodeAt(0)];
const digits = [range("0", "9")];
const letters = [range("a", "z"), range("A", "Z")];
const word = [...letters, ...digits, range("_", "_")];
const space = [range(" ", " ")];
const properties: Readonly<Record<string, readonly Range[]>> = {
  "\\p{L}": letters,
  "\\p{Lu}": [range("A", "Z")],
  "\\p{Ll}": [range("a", "z")],
  "\\p{N}": digits,
  "\\p{Nd}": digits,
};

/** Printable characters outside these ranges. */
const not = (ranges: readonly Range[]): Range[] =>
  Array.from({ length: 95 }, (_, at): Range => [32 + at, 32 + at]).filter(
    ([code]) => !ranges.some(([first, last]) => first <= code && code <= last),
  );

/** Gives up. */
const beyond = (): never => {
  throw new RangeError("beyond what is known");
};

function rangesOf(element: AST.CharacterClassElement | AST.CharacterSet): readonly Range[] {
  if (element.type === "Character") return [[element.value, element.value]];
  if (element.type === "CharacterClassRange") return [[element.min.value, element.max.value]];
  if (element.type !== "CharacterSet") return beyond();
  if (element.kind === "any") return word;
  if (element.kind === "property") return properties[element.raw] ?? beyond();
  const ranges = { digit: digits, word, space }[element.kind];
  return element.negate ? not(ranges) : ranges;
}

/** Text that `pattern` should match; undefined for unsupported patterns. The caller checks it. */
export function textOfPattern(pattern: string, random: Random): string | undefined {
  let repeats = 0;

  function pick(ranges: readonly Range[]): string {
    const count = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    let at = count === 0 ? beyond() : random(0, count - 1);
    for (const [first, last] of ranges) {
      if (at <= last - first) return String.fromCodePoint(first + at);
      at -= last - first + 1;
    }
    return beyond();
  }
  function oneOf(alternatives: readonly AST.Alternative[]): string {
    const { elements } = alternatives[random(0, alternatives.length - 1)] ?? beyond();
    return elements.map(textOf).join("");
  }
  function repeated({ element, min, max }: AST.Quantifier): string {
    const length = random(min, Math.min(max, min + repeatsAtMost));
    repeats += length;
    if (repeats > mostRepeats) beyond();
    return Array.from({ length }, () => textOf(element)).join("");
  }
  function textOf(element: AST.Element): string {
    switch (element.type) {
      case "Character":
        return String.fromCodePoint(element.value);
      case "CharacterSet":
        return pick(rangesOf(element));
      case "CharacterClass": {
        const ranges = element.elements.flatMap(rangesOf);
        return pick(element.negate ? not(ranges) : ranges);
      }
      case "Quantifier":
        return repeated(element);
      case "CapturingGroup":
      case "Group":
        return oneOf(element.alternatives);
      case "Assertion":
        return "alternatives" in element || element.raw === "\\B" ? beyond() : "";
      case "Backreference":
      case "ExpressionCharacterClass":
        return beyond();
    }
  }

  try {
    return oneOf(parsePattern(pattern).alternatives);
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
