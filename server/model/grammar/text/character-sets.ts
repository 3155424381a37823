/** The characters that a part of a regular expression stands for. */
import type { AST } from "@eslint-community/regexpp";
import { anyCodePoint, complement, intersection, codePointsMatching, union, type CodePoints } from "./code-points.ts";

export const noCounterpart = ({ raw }: AST.Node) => new Error(`${raw} has no counterpart`);

const digit: CodePoints = [0x30, 0x39];
const word: CodePoints = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
const lineEnds: CodePoints = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];
/** Written down: to find it would take 30 ms of each start. */
const space: CodePoints = [
  ...[0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f],
  ...[0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff],
];

/** Unicode's own sets: each takes 50 ms to find, so they are kept. */
const properties = new Map<string, CodePoints>();
/** A pattern of strangers names at most so many that are not known yet. */
const mostProperties = 32;

function withProperty(set: AST.UnicodePropertyCharacterSet): CodePoints {
  if (set.strings) throw noCounterpart(set);
  const known = properties.get(set.raw);
  if (known !== undefined) return known;
  if (properties.size >= mostProperties) throw new Error("too many kinds of characters were named since the start");
  const found = codePointsMatching(new RegExp(set.raw, "u"));
  properties.set(set.raw, found);
  return found;
}

export function setOf(set: AST.CharacterSet): CodePoints {
  if (set.kind === "any") return complement(lineEnds);
  if (set.kind === "property") return withProperty(set);
  const members = { digit, word, space }[set.kind];
  return set.negate ? complement(members) : members;
}

export function characterOf(character: AST.Character): CodePoints {
  const set = intersection([character.value, character.value], anyCodePoint);
  if (set.length === 0) throw noCounterpart(character);
  return set;
}

function elementOf(element: AST.CharacterClassElement): CodePoints {
  switch (element.type) {
    case "Character":
      return characterOf(element);
    case "CharacterClassRange":
      return intersection([element.min.value, element.max.value], anyCodePoint);
    case "CharacterSet":
      return setOf(element);
    case "CharacterClass":
    case "ClassStringDisjunction":
    case "ExpressionCharacterClass":
      throw noCounterpart(element);
  }
}

export function classOf({ elements, negate }: AST.CharacterClass): CodePoints {
  const members = union(...elements.map(elementOf));
  const set = negate ? complement(members) : members;
  if (set.length === 0) throw new Error("a class is empty");
  return set;
}
