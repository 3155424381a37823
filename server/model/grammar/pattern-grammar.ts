/**
 * Regular expressions as grammars of JSON strings: alternatives, groups, classes and repetition. What a grammar has no
 * word for (looking around, references back, word boundaries) is an Error.
 */
import type { AST } from "@eslint-community/regexpp";
import { parsePattern } from "../../foreign/parse-pattern.ts";
import { oneOf, times } from "./grammar-rules.ts";
import { mostRepetitions, sizeOf } from "./grammar-size.ts";

/** Nobody writes longer ones by hand. */
const longest = 10_000;
/** Characters, each repetition counted. */
const largest = 50_000;
/**
 * Ways in which a text may have been matched so far, each of which the engine follows for every token: a part that is
 * optional or repeated has one for each time that it may be left out.
 */
const mostWays = 1000;

/** The grammar of a part. */
interface Part {
  readonly body: string;
  /** The ways through it. */
  readonly ways: number;
  /** Parts of which there may be more or fewer: one alone is followed in one way, however often it may stand there. */
  readonly varying: number;
}

const plain = (body: string): Part => ({ body, ways: 0, varying: 0 });
const sum = (parts: readonly Part[], count: "ways" | "varying") =>
  parts.reduce((total, part) => total + part[count], 0);

/** Any character that stands for itself in a JSON string, but for those inside. */
const anyBut = (inside: string) => `[^${inside}"\\\\\\x00-\\x1F\\x7F]`;
const anyText: Part = { body: `${anyBut("")}*`, ways: 1, varying: 1 };

const noCounterpart = ({ raw }: AST.Node) => new Error(`${raw} has no counterpart`);

function textOf(character: AST.Character): string {
  const text = String.fromCodePoint(character.value);
  if (/\p{Cs}/u.test(text)) throw noCounterpart(character);
  return text;
}
/** A character as JSON writes it in a string. */
const written = (character: AST.Character) => JSON.stringify(textOf(character)).slice(1, -1);
const characterBody = (character: AST.Character) => `"${written(character).replace(/["\\]/g, "\\$&")}"`;

/** A character as it stands in brackets. */
const inClass = (character: AST.Character) =>
  textOf(character).replace(/[\]\\^\-\p{Cc}]/u, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);

function setInClass(set: AST.CharacterSet): string {
  if (set.kind === "digit") return "0-9";
  if (set.kind === "word") return "a-zA-Z0-9_";
  if (set.kind === "space") return " ";
  throw noCounterpart(set);
}

function setBody(set: AST.CharacterSet): string {
  if (set.kind === "any") return anyBut("");
  if (set.negate) return anyBut(setInClass(set));
  return set.kind === "space" ? '(" " | "\\\\t" | "\\\\n")' : `[${setInClass(set)}]`;
}

const isEscaped = (character: AST.Character) => written(character).startsWith("\\");
const holdsEscaped = ({ min, max }: AST.CharacterClassRange) =>
  [0x1f, 0x22, 0x5c].some((code) => min.value <= code && code <= max.value);

/** What of a class stands in brackets; characters that need escapes do not. */
function elementInClass(element: AST.CharacterClassElement): string {
  if (element.type === "Character") return isEscaped(element) ? "" : inClass(element);
  if (element.type === "CharacterClassRange") return `${inClass(element.min)}-${inClass(element.max)}`;
  if (element.type !== "CharacterSet" || element.negate) throw noCounterpart(element);
  return setInClass(element);
}

function classBody({ elements, negate }: AST.CharacterClass): string {
  const inside = elements.map(elementInClass).join("");
  if (negate) return anyBut(inside);
  const range = elements.find((element) => element.type === "CharacterClassRange" && holdsEscaped(element));
  if (range) throw new Error(`the range ${range.raw} holds quotes or control characters`);
  const escaped = elements.flatMap((element) =>
    element.type === "Character" && isEscaped(element) ? [characterBody(element)] : [],
  );
  const bodies = [...(inside === "" ? [] : [`[${inside}]`]), ...escaped];
  if (bodies.length === 0) throw new Error("a class is empty");
  return oneOf(bodies);
}

function repeated({ element, min, max }: AST.Quantifier): Part {
  const part = partOf(element);
  const most = max === Infinity ? undefined : max;
  if (min === 1 && most === 1) return part;
  if (Math.max(min, most ?? 0) > mostRepetitions)
    throw new Error(`it repeats more than ${String(mostRepetitions)} times`);
  return {
    body: times(part.body, min, most),
    ways: part.ways * (most ?? Math.max(1, min)) + ((most ?? min + 1) - min),
    varying: part.varying + (min !== most || part.ways > 0 ? 1 : 0),
  };
}

function partOf(element: AST.Element): Part {
  switch (element.type) {
    case "Character":
      return plain(characterBody(element));
    case "CharacterSet":
      return plain(setBody(element));
    case "CharacterClass":
      return plain(classBody(element));
    case "Quantifier":
      return repeated(element);
    case "CapturingGroup":
    case "Group": {
      if ("modifiers" in element && element.modifiers) throw noCounterpart(element.modifiers);
      const group = anyOf(element.alternatives.map(({ elements }) => inOrder(elements.map(partOf))));
      return { ...group, body: `(${group.body})` };
    }
    case "Assertion":
      if ("alternatives" in element) throw new Error("it looks ahead or behind");
      throw element.kind === "word" ? noCounterpart(element) : new Error(`"${element.raw}" is not expected amid it`);
    case "Backreference":
    case "ExpressionCharacterClass":
      throw noCounterpart(element);
  }
}

const inOrder = (parts: readonly Part[]): Part => ({
  body: parts.length === 0 ? '""' : parts.map(({ body }) => body).join(" "),
  ways: sum(parts, "ways"),
  varying: sum(parts, "varying"),
});

const anyOf = (parts: readonly Part[]): Part => ({
  body: oneOf(parts.map(({ body }) => body)),
  ways: sum(parts, "ways") + (parts.length > 1 ? parts.length : 0),
  varying: sum(parts, "varying") + (parts.length > 1 ? 1 : 0),
});

/** An alternative of the whole pattern: it may match anywhere in the string unless it is anchored. */
function anywhere({ elements }: AST.Alternative): Part {
  const isAnchor = (element: AST.Element | undefined, kind: "start" | "end") =>
    element?.type === "Assertion" && element.kind === kind;
  const [isFromStart, isToEnd] = [isAnchor(elements[0], "start"), isAnchor(elements.at(-1), "end")];
  const parts = elements.slice(isFromStart ? 1 : 0, isToEnd ? -1 : undefined).map(partOf);
  return inOrder([...(isFromStart ? [] : [anyText]), ...parts, ...(isToEnd ? [] : [anyText])]);
}

/** The body of a rule for the inside of JSON strings that match. @throws Error that says what cannot be expressed */
export function patternGrammar(pattern: string): string {
  if (pattern.length > longest) throw new Error(`it has more than ${String(longest)} characters`);
  const { body, ways, varying } = anyOf(parsePattern(pattern).alternatives.map(anywhere));
  if (sizeOf(body) > largest) throw new Error(`it stands for more than ${String(largest)} characters`);
  if (varying > 1 && ways > mostWays) throw new Error(`a text can match it in more than ${String(mostWays)} ways`);
  return body;
}
