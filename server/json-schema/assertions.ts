/** Keywords that judge a value by itself: numbers, texts, counts, listed values. */
import { isObject } from "../contract/is-object.ts";
import type { Message } from "../contract/messages/message.ts";
import type { SchemaObject } from "./json-schema.ts";
import {
  hasDuplicates,
  mustBeBounded,
  mustBeFormat,
  mustBeMultipleOf,
  mustBeOneOf,
  mustBeType,
  mustFitPattern,
  mustHave,
  type Bound,
  type CountedUnit,
} from "./predicates.ts";

/** Checks that a service supplies. */
export interface TextChecks {
  readonly matches: (pattern: string, text: string) => boolean;
  readonly hasFormat: (format: string, value: unknown) => boolean;
}

/** The problem of a value; undefined if there is none. */
type Assert = (value: unknown) => Message | undefined;
type Assertion = (argument: never, schema: SchemaObject, checks: TextChecks) => Assert;

/** The JSON Schema type of a value; whole numbers are of type "number", too. */
export const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

/** Equal texts for equal values, regardless of the order of members. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, held: unknown) =>
    isObject(held) ? Object.fromEntries(Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1))) : held,
  );

/** Compares as decimals: 19.99 is a multiple of 0.01, though their binary fractions are not exact. */
function isMultiple(step: number, value: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * 4 * Number.EPSILON;
}

const ofNumber =
  (say: (bound: number) => Message, holds: (bound: number, value: number) => boolean) =>
  (bound: number): Assert =>
  (value) =>
    typeof value !== "number" || holds(bound, value) ? undefined : say(bound);
const bounded = (words: Bound) => (bound: number) => mustBeBounded(words, bound);

/** `countOf` is undefined for values of which nothing is counted. */
const ofCount =
  (isLeast: boolean, what: CountedUnit, countOf: (value: unknown) => number | undefined) =>
  (bound: number): Assert =>
  (value) => {
    const count = countOf(value);
    if (count === undefined || (isLeast ? count >= bound : count <= bound)) return undefined;
    return mustHave(isLeast ? "least" : "most", bound, what);
  };
const characters = (value: unknown) => (typeof value === "string" ? Array.from(value).length : undefined);
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const members = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);

function ofType(argument: string | readonly string[], { nullable }: SchemaObject): Assert {
  const types = [argument].flat();
  const allowed = new Set(nullable === true ? [...types, "null"] : types);
  return (value) =>
    allowed.has(typeOf(value)) || (allowed.has("integer") && Number.isInteger(value))
      ? undefined
      : mustBeType(types, typeOf(value));
}

function ofList(values: readonly unknown[]): Assert {
  const texts = new Set(values.map(canonical));
  return (value) => (texts.has(canonical(value)) ? undefined : mustBeOneOf(values));
}

function ofConstant(constant: unknown): Assert {
  const text = canonical(constant);
  return (value) => (canonical(value) === text ? undefined : mustBeOneOf([constant]));
}

export const assertions: ReadonlyMap<string, Assertion> = new Map<string, Assertion>(
  Object.entries({
    type: ofType,
    enum: ofList,
    const: ofConstant,
    minimum: ofNumber(bounded("least"), (bound, value) => value >= bound),
    maximum: ofNumber(bounded("most"), (bound, value) => value <= bound),
    exclusiveMinimum: ofNumber(bounded("more"), (bound, value) => value > bound),
    exclusiveMaximum: ofNumber(bounded("less"), (bound, value) => value < bound),
    multipleOf: ofNumber(mustBeMultipleOf, isMultiple),
    minLength: ofCount(true, "character", characters),
    maxLength: ofCount(false, "character", characters),
    minItems: ofCount(true, "item", items),
    maxItems: ofCount(false, "item", items),
    minProperties: ofCount(true, "member", members),
    maxProperties: ofCount(false, "member", members),
    pattern:
      (pattern: string, _schema: SchemaObject, { matches }: TextChecks): Assert =>
      (value) =>
        typeof value !== "string" || matches(pattern, value) ? undefined : mustFitPattern(pattern),
    format:
      (format: string, _schema: SchemaObject, { hasFormat }: TextChecks): Assert =>
      (value) =>
        hasFormat(format, value) ? undefined : mustBeFormat(format),
    uniqueItems:
      (wanted: boolean): Assert =>
      (value) =>
        !wanted || !Array.isArray(value) || new Set(value.map(canonical)).size === value.length
          ? undefined
          : hasDuplicates,
  } satisfies Record<string, Assertion>),
);
