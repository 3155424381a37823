/**
 * Regular expressions as automata: alternatives, groups, classes, repetition, looking ahead. An Error for what
 * no automaton can recognise: references back, word boundaries, looking behind.
 */
import type { AST } from "@eslint-community/regexpp";
import { parsePattern } from "../../../foreign/parse-pattern.ts";
import { intersectionOf, differenceOf, type Automaton } from "./automaton.ts";
import { characterOf, classOf, noCounterpart, setOf } from "./character-sets.ts";
import { anyCodePoint } from "./code-points.ts";
import { anyEnd, createPlaces, type Places } from "./places.ts";

/** Nobody writes longer ones by hand. */
const longest = 10_000;

/** Where a part stands: what is before it, and whether what follows may come again, so that it is not known yet. */
interface Position {
  readonly before: "nothing" | "something" | "perhaps something";
  readonly isRepeated: boolean;
}

/** Reads a pattern from its end to its beginning: `next` is the place behind a part. */
function createReader(places: Places) {
  function sequence(elements: readonly AST.Element[], next: number, position: Position): number {
    const consuming = elements.findIndex(({ type }) => type !== "Assertion");
    return elements.reduceRight((behind, element, at) => {
      const isHead = consuming === -1 || at <= consuming;
      return part(element, behind, { ...position, before: isHead ? position.before : "perhaps something" });
    }, next);
  }
  const any = (alternatives: readonly AST.Alternative[], next: number, position: Position) =>
    places.either(alternatives.map(({ elements }) => sequence(elements, next, position)));

  function part(element: AST.Element, next: number, position: Position): number {
    switch (element.type) {
      case "Character":
        return places.on(characterOf(element), next);
      case "CharacterSet":
        return places.on(setOf(element), next);
      case "CharacterClass":
        return places.on(classOf(element), next);
      case "Quantifier":
        return repeated(element, next, position);
      case "Group":
        if (element.modifiers) throw noCounterpart(element.modifiers);
        return any(element.alternatives, next, position);
      case "CapturingGroup":
        return any(element.alternatives, next, position);
      case "Assertion":
        return assertion(element, next, position);
      case "Backreference":
      case "ExpressionCharacterClass":
        throw noCounterpart(element);
    }
  }

  function repeated({ element, min, max }: AST.Quantifier, next: number, { before, isRepeated }: Position): number {
    const position: Position = {
      before: max <= 1 ? before : "perhaps something",
      isRepeated: isRepeated || max === Infinity,
    };
    let start = next;
    if (max === Infinity) start = places.loop(next, (again) => part(element, again, position));
    else for (let count = min; count < max; count++) start = places.either([next, part(element, start, position)]);
    for (let count = 0; count < min; count++) start = part(element, start, position);
    return start;
  }

  function assertion(element: AST.Assertion, next: number, { before, isRepeated }: Position): number {
    if (element.kind === "lookbehind" || element.kind === "word") throw noCounterpart(element);
    if (element.kind === "start" && before === "nothing") return next;
    if (element.kind === "start" && before === "something") return places.either([]);
    if (element.kind === "start" || isRepeated) throw new Error(`"${element.raw}" is not allowed there`);
    const rest = places.automatonFrom(next);
    if (element.kind !== "lookahead") return rest[0]?.accepts === true ? places.end() : places.either([]);
    const ahead = places.automatonFrom(any(element.alternatives, anyEnd(places), { before, isRepeated: false }));
    return places.embed(element.negate ? differenceOf(rest, ahead) : intersectionOf([rest, ahead]));
  }
  return { any };
}

/** The texts in which the pattern is found. @throws Error that says what cannot be expressed */
export function patternAutomaton(pattern: string): Automaton {
  if (pattern.length > longest) throw new Error(`it has more than ${String(longest)} characters`);
  const { alternatives } = parsePattern(pattern);
  const places = createPlaces();
  const reader = createReader(places);
  const end = anyEnd(places);
  const atOnce = reader.any(alternatives, end, { before: "nothing", isRepeated: false });
  const later = reader.any(alternatives, end, { before: "something", isRepeated: false });
  const behindAny = places.loop(later, (again) => places.on(anyCodePoint, again));
  return places.automatonFrom(places.either([atOnce, places.on(anyCodePoint, behindAny)]));
}
