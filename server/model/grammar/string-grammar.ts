/** Strings of a schema: in JSON, and as plain text for markup that has no quotes. */
import { oneOf, oneOfTexts, times, type GrammarRules } from "./grammar-rules.ts";
import { mostRepetitions } from "./grammar-size.ts";
import { expandSchema } from "./expand-schema.ts";
import { characterRule } from "./json-rules.ts";
import { listedIn } from "./listed-values.ts";
import type { SchemaReferences } from "../../json-schema/schema-references.ts";
import type { SchemaPlace } from "./schema-place.ts";
import { leastOf, listedValues, mostOf, pathOfKeyword, refuseUndecided, type Conjunction } from "./schema-parts.ts";
import { keywordText } from "./schema-values.ts";
import {
  anyText,
  intersectionOf,
  lengths,
  longestOf,
  longestWithin,
  countedSetOf,
  shortestOf,
  differenceOf,
  type Automaton,
} from "./text/automaton.ts";
import { automatonBody, characterBody, type Writing } from "./text/automaton-rules.ts";
import { anyCodePoint, complement } from "./text/code-points.ts";
import { formatAutomaton, patternOf } from "./text/known-automata.ts";
import { textsAutomaton, textsBut } from "./text/listed-texts.ts";
import { enforceablePattern } from "./text/string-formats.ts";
import { enforced, NoValueError, unenforceable } from "./unenforceable.ts";

/** States of a text whose length is counted beside something else: longer ones are left out. */
const mostCounted = 4000;
/** The longest that is counted by itself: longer answers do not come. */
const longestText = 1_000_000;

/** The demands of the parts on a text except its length, and the last keyword with one, for messages. */
function automataOf(parts: Conjunction): { automata: Automaton[]; keyword: string; path: string } {
  refuseUndecided(parts);
  let [keyword, path] = ["pattern", pathOfKeyword(parts, "pattern")];
  const automata: Automaton[] = [];
  for (const { schema, path: there, excludes } of parts) {
    const add = (name: string, make: () => Automaton) => {
      [keyword, path] = [name, there];
      automata.push(enforced(name, there, make));
    };
    const pattern = keywordText(schema, "pattern", there);
    const known = formatAutomaton(schema["format"]);
    if (known !== undefined) add("format", () => known);
    if (pattern !== undefined) add("pattern", () => patternOf(enforceablePattern(pattern)));
    const unwanted = excludes?.["pattern"];
    if (typeof unwanted === "string") add("not", () => differenceOf(anyText, patternOf(unwanted)));
    const values = (listedValues(excludes ?? {}) ?? []).filter((value) => typeof value === "string");
    if (values.length > 0) add("not", () => textsBut(values));
  }
  return { automata, keyword, path };
}

/** Markup begins with this. */
const plainText = lengths(0, undefined, complement([0x3c, 0x3c]));

interface Counts {
  readonly least: number;
  readonly most: number | undefined;
}

/** Exactly so many, and any number up to so many, where a repetition must not be that long. */
function manyTimes(character: string, { least, most }: Counts, rules: GrammarRules): string {
  if (Math.max(least, most ?? 0) <= mostRepetitions) return times(character, least, most);
  const block = rules.add("thousand", times(character, 1000, 1000));
  const exactly = (count: number) => {
    const [blocks, rest] = [Math.floor(count / 1000), count % 1000];
    return `${times(block, blocks, blocks)} ${times(character, rest, rest)}`;
  };
  const begin = least === 0 ? "" : exactly(least);
  if (most === undefined) return `${begin} ${character}*`;
  const left = most - least;
  if (left < 1000) return `${begin} ${times(character, 0, left)}`;
  const blocks = Math.floor(left / 1000);
  return `${begin} (${times(block, 0, blocks - 1)} ${times(character, 0, 999)} | ${times(block, blocks, blocks)} ${times(character, 0, left % 1000)})`;
}

/** The rule of the text between the quotes. */
function insideBody(parts: Conjunction, rules: GrammarRules, writing: Writing): string {
  const [least, most] = [leastOf(parts, "minLength"), mostOf(parts, "maxLength")];
  const counted = most === undefined ? "minLength" : "maxLength";
  const path = pathOfKeyword(parts, counted);
  if (least > (most ?? least)) throw new NoValueError(counted, path, "no length is left");
  if (least > longestText)
    throw unenforceable("minLength", path, `at most ${String(longestText)} characters can be counted`);
  const { automata, keyword, path: last } = automataOf(parts);
  const counts = { least, most: most === undefined ? undefined : Math.min(most, longestText) };
  if (automata.length === 0 && writing === "json") return manyTimes(characterRule(rules), counts, rules);
  if (writing === "plain") automata.push(plainText);
  const some = enforced(keyword, last, () => intersectionOf(automata));
  const row = countedSetOf(some);
  if (row !== undefined) {
    const both = {
      least: Math.max(least, row.least),
      most: row.most === undefined ? counts.most : Math.min(counts.most ?? row.most, row.most),
    };
    if (both.least > (both.most ?? both.least)) throw new NoValueError(keyword, last, "no text is left");
    return manyTimes(characterBody(row.set, rules, writing), both, rules);
  }
  if (least <= shortestOf(some) && (most ?? Infinity) >= (longestOf(some) ?? Infinity)) return bodyOf(some);
  const longest = longestWithin(some, mostCounted);
  if (least > longest) throw unenforceable("minLength", path, `together with ${keyword}`);
  const length = lengths(least, most === undefined ? undefined : Math.min(most, longest), anyCodePoint);
  return bodyOf(enforced(keyword, last, () => intersectionOf([some, length])));

  function bodyOf(automaton: Automaton): string {
    if (automaton.length === 0) throw new NoValueError(keyword, last, "no text is left");
    return automatonBody(automaton, rules, writing);
  }
}

/** The texts of these parts. @throws OllamaError 400, AutomatonLimitError */
export function stringAutomaton(parts: Conjunction, references: SchemaReferences): Automaton {
  const listed = listedIn(parts, references);
  if (listed !== undefined) return textsAutomaton(listed.filter((value) => typeof value === "string"));
  const length = lengths(leastOf(parts, "minLength"), mostOf(parts, "maxLength"), anyCodePoint);
  return intersectionOf([length, ...automataOf(parts).automata]);
}

/** The body of a rule for JSON strings of these parts. */
export const stringBody = (parts: Conjunction, { rules }: SchemaPlace) =>
  `"\\"" ${insideBody(parts, rules, "json")} "\\""`;

/**
 * The same without quotes and escapes, and without "<", where the markup around it begins. Listed texts may have that, but
 * not `close`, which ends the text.
 */
export function plainTextBody(schema: unknown, { rules, references, path }: SchemaPlace, close: string): string {
  const bodies = expandSchema([{ schema, path }], references).map((parts) => {
    const listed = listedIn(parts, references)?.filter((value) => typeof value === "string");
    const texts = listed?.filter((text) => !text.includes(close));
    const why = listed?.length === 0 ? "no text is left" : `no text is left without ${JSON.stringify(close)}`;
    if (texts?.length === 0) throw new NoValueError("enum", path, why);
    return texts === undefined ? insideBody(parts, rules, "plain") : oneOfTexts(texts);
  });
  return oneOf(bodies);
}
