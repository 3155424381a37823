import { integerArgument, numberArgument, operations, textArgument, type BoundArguments } from "../values/arguments.ts";
import { isTrue } from "../values/iterate.ts";
import { fixedText } from "../../decimal-text.ts";
import { roundFloat, roundInteger, toFloat } from "../values/numbers.ts";
import { operate } from "../values/operators.ts";
import { PythonError, typeError } from "../values/python-error.ts";
import { typeNameOf } from "../values/type-name.ts";
import { isText, numericValue, Undefined, type Rendering, type Value } from "../values/value.ts";
import { strip } from "../text/strip.ts";

const floatForm = /^(?:(?:\d+_)*\d+(?:\.(?:(?:\d+_)*\d+)?)?|\.(?:\d+_)*\d+)(?:e[+-]?(?:\d+_)*\d+)?$/i;

/** `float(value)`; undefined where Python raises TypeError or ValueError. */
function parseFloatOf(value: Value): number | undefined {
  if (value instanceof Undefined) value.fail();
  const number = numericValue(value);
  if (number !== undefined) return toFloat(number);
  if (!isText(value)) return undefined;
  const text = strip(textArgument(value), undefined);
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (word) return word[2]?.toLowerCase() === "nan" ? Number.NaN : word[1] === "-" ? -Infinity : Infinity;
  return floatForm.test(text.replace(/^[+-]/, "")) ? Number(text.replaceAll("_", "")) : undefined;
}

const digitsOf: Readonly<Record<number, string>> = { 2: "0b", 8: "0o", 16: "0x" };

/** `int(text, base)`; undefined for a text that is no integer. */
function parseInteger(text: string, base: number): bigint | undefined {
  const [, sign = "", digits = ""] = /^([+-]?)(.*)$/su.exec(strip(text, undefined).toLowerCase()) ?? [];
  const prefix = base === 0 ? (/^0[box]/.exec(digits)?.[0] ?? "") : (digitsOf[base] ?? "");
  const bare = prefix !== "" && digits.startsWith(prefix) ? digits.slice(2).replace(/^_/, "") : digits;
  const radix = base === 0 ? Number(Object.keys(digitsOf).find((key) => digitsOf[Number(key)] === prefix)) || 10 : base;
  if (!/^[\da-z]+(?:_[\da-z]+)*$/.test(bare)) return undefined;
  let value = 0n;
  for (const digit of bare.replaceAll("_", "")) {
    const amount = Number.parseInt(digit, 36);
    if (amount >= radix) return undefined;
    value = value * BigInt(radix) + BigInt(amount);
  }
  return sign === "-" ? -value : value;
}

/** The most digits that Python reads of an integer. */
const mostDigits = 4300;

function toInteger(value: Value, [other = 0n, base = 10n]: BoundArguments): Value {
  if (typeof value === "bigint") return value;
  if (isText(value)) {
    const text = textArgument(value);
    const radix = numericValue(base);
    const isRead =
      typeof radix === "bigint" && (radix === 0n || (radix > 1n && radix <= 36n)) && text.length <= mostDigits;
    const integer = isRead ? parseInteger(text, Number(radix)) : undefined;
    if (integer !== undefined) return integer;
  }
  const float = parseFloatOf(value);
  if (float === undefined || Number.isNaN(float)) return other;
  if (!Number.isFinite(float)) throw new PythonError("OverflowError", "cannot convert float infinity to integer");
  return BigInt(Math.trunc(float));
}

function absolute(value: Value): Value {
  const number = numberArgument(value, (type) => `bad operand type for abs(): '${type}'`);
  return number < 0 ? -number : number;
}

function round(value: Value, [precision = 0n, method = "common"]: BoundArguments, run: Rendering): Value {
  const name = textArgument(method);
  if (name !== "common" && name !== "ceil" && name !== "floor")
    throw new PythonError("FilterArgumentError", "method must be common, ceil or floor");
  if (name === "common") return rounded(value, precision);
  const power = operate(10n, "**", precision, run);
  const scaled = operate(value, "*", power, run);
  const number = numericValue(scaled);
  if (number === undefined) throw typeError(`must be real number, not ${typeNameOf(scaled)}`);
  return operate(BigInt(typeof number === "bigint" ? number : Math[name](number)), "/", power, run);
}

function rounded(value: Value, precision: Value): Value {
  const number = numberArgument(value, (type) => `type ${type} doesn't define __round__ method`);
  if (typeof number === "bigint") return precision === null ? number : roundInteger(number, integerArgument(precision));
  if (precision !== null) return roundFloat(number, integerArgument(precision));
  return BigInt(roundFloat(number, 0));
}

const prefixes = ["k", "M", "G", "T", "P", "E", "Z", "Y"];

function fileSize(value: Value, [binary = false]: BoundArguments): string {
  const size = parseFloatOf(value);
  if (size === undefined) throw typeError(`a number is required, not '${typeNameOf(value)}'`);
  const isBinary = isTrue(binary);
  const base = isBinary ? 1024 : 1000;
  if (size === 1) return "1 Byte";
  if (size < base) return `${Math.trunc(size)} Bytes`;
  const found = prefixes.findIndex((_prefix, at) => size < base ** (at + 2));
  const at = found < 0 ? prefixes.length - 1 : found;
  const prefix = prefixes[at] as string;
  return `${fixedText((base * size) / base ** (at + 2), 1)} ${isBinary ? `${prefix.toUpperCase()}i` : prefix}B`;
}

export const numberFilters = operations<Value>({
  "abs()": absolute,
  "filesizeformat(binary?)": fileSize,
  "float(default?)": (value, [other = 0]) => parseFloatOf(value) ?? other,
  "int(default?, base?)": toInteger,
  "round(precision?, method?)": round,
});
