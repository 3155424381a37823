/** Numbers of a schema: types, bounds and multiples. */
import { decimalOf } from "./decimal.ts";
import { integerRule, numberRule } from "../json-rules.ts";
import { multiplesOf } from "./multiples.ts";
import { atLeast, atMost } from "./number-range.ts";
import type { SchemaPlace } from "../schema-place.ts";
import { listedValues, type Conjunction, type SchemaPart } from "../schema-parts.ts";
import { anyText, intersectionOf, differenceOf, type Automaton } from "../text/automaton.ts";
import { automatonBody } from "../text/automaton-rules.ts";
import { patternOf } from "../text/known-automata.ts";
import { enforced, NoValueError, unenforceable } from "../unenforceable.ts";

/** Digits in front of the point where no bound asks for more. */
const usualDigits = 16;
const mostDigits = 25;
/** Whole numbers, and others, of at most as many digits as are read back exactly the same. */
const exact = "^-?(?:(?:0|[1-9]\\d{0,5})(?:\\.\\d{1,9})?|[1-9]\\d{6,14})$";

function numberOf(schema: SchemaPart["schema"], keyword: string, path: string): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (!Number.isFinite(value)) throw unenforceable(keyword, path, "it must be a number");
  return value as number;
}

/**
 * Whole numbers beyond those that are exact may have been rounded as they were read: the bound is drawn in by more. It is
 * infinite then for the largest ones.
 */
const drawnIn = (bound: number, towards: 1 | -1) =>
  Number.isInteger(bound) && !Number.isSafeInteger(bound) ? bound + towards * Math.abs(bound) * Number.EPSILON : bound;

/** The demands of a keyword on how a number is written. */
interface Condition {
  readonly keyword: string;
  readonly path: string;
  readonly automaton: Automaton;
  /** Whether rounding could break it. */
  readonly isExact: boolean;
  /** Digits in front of the point that its bound has. */
  readonly digits: number;
}

function boundsIn({ schema, path }: SchemaPart): Condition[] {
  const sides = [
    ["minimum", "exclusiveMinimum", atLeast, 1],
    ["maximum", "exclusiveMaximum", atMost, -1],
  ] as const;
  return sides.flatMap(([closed, open, patternFor, towards]) => {
    const condition = (keyword: string, isOpen: boolean): Condition[] => {
      const written = numberOf(schema, keyword, path);
      if (written === undefined) return [];
      const bound = drawnIn(written, towards);
      const { whole, fraction } = decimalOf(bound);
      const digits = whole.length;
      if (!Number.isFinite(bound) || digits + fraction.length > mostDigits)
        throw unenforceable(keyword, path, `it has more than ${String(mostDigits)} digits`);
      return [{ keyword, path, automaton: patternOf(patternFor(bound, isOpen)), isExact: isOpen, digits }];
    };
    // Old drafts: whether the bound itself is left out.
    const isOpen = schema[open] === true;
    return [...condition(closed, isOpen), ...(typeof schema[open] === "boolean" ? [] : condition(open, true))];
  });
}

function conditionsIn(part: SchemaPart): Condition[] {
  const { schema, excludes = {}, path } = part;
  const multiple = numberOf(schema, "multipleOf", path);
  const unwanted = numberOf(excludes, "multipleOf", path);
  const other = (keyword: string, automaton: Automaton): Condition => ({
    ...{ keyword, path, automaton },
    ...{ isExact: true, digits: 0 },
  });
  const numbers = (listedValues(excludes) ?? []).filter((value) => typeof value === "number");
  return [
    ...boundsIn(part),
    ...(multiple === undefined ? [] : [other("multipleOf", multiplesOf(multiple, path))]),
    ...(unwanted === undefined ? [] : [other("not", differenceOf(anyText, multiplesOf(unwanted, path)))]),
    ...(excludes["type"] === "integer" ? [other("not", patternOf("\\.\\d*[1-9]"))] : []),
    ...numbers.map((value) => other("not", differenceOf(anyText, patternOf(writtenAs(value))))),
  ];
}

/** However a number is written without an exponent. */
function writtenAs(value: number): string {
  const { isNegative, whole, fraction } = decimalOf(value);
  const sign = whole === "0" && fraction === "" ? "-?" : isNegative ? "-" : "";
  return `^${sign}${whole}${fraction === "" ? "(?:\\.0+)?" : `\\.${fraction}0*`}$`;
}

/** The body of a rule for the numbers of these parts. */
export function numberBody(parts: Conjunction, type: "integer" | "number", { rules, path }: SchemaPlace): string {
  const conditions = parts.flatMap(conditionsIn);
  const last = conditions.at(-1);
  if (last === undefined) return type === "integer" ? integerRule(rules) : numberRule(rules);
  const digits = Math.max(usualDigits, ...conditions.map((one) => one.digits + 1));
  const form = `^-?(?:0|[1-9]\\d{0,${String(digits - 1)}})${type === "integer" ? "" : "(?:\\.\\d{1,17})?"}$`;
  const automaton = enforced(last.keyword, last.path, () =>
    intersectionOf([
      patternOf(form),
      ...(conditions.some(({ isExact }) => isExact) ? [patternOf(exact)] : []),
      ...conditions.map((condition) => condition.automaton),
    ]),
  );
  if (automaton.length === 0) throw new NoValueError(last.keyword, path, "no number is left");
  return automatonBody(automaton, rules);
}
