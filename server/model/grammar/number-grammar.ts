/** Numbers of a schema: types, bounds and decimal places. */
import type { JsonSchema } from "../chat-completion.ts";
import { integerRule, numberRule } from "./json-rules.ts";
import { numberRange, type Bounds } from "./number-range.ts";
import type { SchemaPlace } from "./schema-place.ts";
import { unenforceable } from "./unenforceable.ts";

/** Digits behind the point; more would let rounding carry a number over its bound. */
const fractionDigits = 9;

function bound(schema: JsonSchema, keyword: string, path: string): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (!Number.isFinite(value)) throw unenforceable(keyword, path, "it must be a number");
  return value as number;
}

/** Places behind the point that `multipleOf` leaves: 0.01 leaves two. */
function placesOf(multipleOf: number | undefined, path: string): number {
  if (multipleOf === undefined) return fractionDigits;
  const places = -Math.log10(multipleOf);
  if (!Number.isInteger(places) || places < 0 || places > fractionDigits)
    throw unenforceable("multipleOf", path, "only 1, 0.1, 0.01 and so on can be guaranteed");
  return places;
}

/** The bounds as whole numbers. */
function boundsOf(schema: JsonSchema, isInteger: boolean, path: string): Bounds {
  const read = (keyword: string, round: (value: number) => number) => {
    const value = bound(schema, keyword, path);
    if (value === undefined) return undefined;
    if (!isInteger && !Number.isInteger(value))
      throw unenforceable(keyword, path, "of a number only whole bounds can be guaranteed");
    return BigInt(round(value));
  };
  const [low, high] = [read("minimum", Math.ceil), read("maximum", Math.floor)];
  const above = read("exclusiveMinimum", Math.floor);
  const below = read("exclusiveMaximum", Math.ceil);
  const isMinOpen = above !== undefined && (low === undefined || above >= low);
  const isMaxOpen = below !== undefined && (high === undefined || below <= high);
  const min = isMinOpen ? above : low;
  const max = isMaxOpen ? below : high;
  if (!isInteger) return { min, max, isMinOpen, isMaxOpen };
  return {
    min: isMinOpen && min !== undefined ? min + 1n : min,
    max: isMaxOpen && max !== undefined ? max - 1n : max,
  };
}

/** The body of a rule for the numbers of this schema. */
export function numberBody(schema: JsonSchema, type: "integer" | "number", { rules, path }: SchemaPlace): string {
  const places = placesOf(bound(schema, "multipleOf", path), path);
  const isInteger = type === "integer" || places === 0;
  const bounds = boundsOf(schema, isInteger, path);
  const isFree = bounds.min === undefined && bounds.max === undefined;
  if (isFree && (isInteger || places === fractionDigits)) return isInteger ? integerRule(rules) : numberRule(rules);
  const body = numberRange(bounds, isInteger ? 0 : places);
  if (body === undefined)
    throw unenforceable(bounds.min === undefined ? "maximum" : "minimum", path, "no number is left");
  return body;
}
