/** Arithmetic, and what lists and texts make of its operators. */
import { mostItems, TooLargeError, tooManyItems } from "../../too-large-error.ts";
import { escapeMarkup } from "../text/escape-markup.ts";
import { formatPercent } from "../text/percent-format.ts";
import { repeatText } from "../text/repeat-text.ts";
import { numberArgument } from "./arguments.ts";
import { toFloat } from "./numbers.ts";
import { PythonError, typeError } from "./python-error.ts";
import { typeNameOf } from "./type-name.ts";
import {
  isList,
  isText,
  Markup,
  numericValue,
  plainText,
  Tuple,
  Undefined,
  type Rendering,
  type Value,
} from "./value.ts";

export type BinaryOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**";

/** The most bits of an integer: none in a template comes near, and each step may square one. */
const mostBits = 65_536;

const divisionByZero = (what: string) => new PythonError("ZeroDivisionError", what);

function bounded(value: bigint): bigint {
  if (BigInt.asIntN(mostBits, value) !== value)
    throw new TooLargeError(`it makes an integer of more than ${mostBits} bits`);
  return value;
}

function floorQuotient(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function floorRemainder(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 === b < 0 ? rest : rest + b;
}

function integerPower(base: bigint, exponent: bigint): Value {
  if (exponent >= 0n) {
    // 0, 1 and -1 stay as small with any exponent.
    if (base * base <= 1n) return exponent === 0n ? 1n : exponent % 2n === 0n ? base * base : base;
    if (BigInt(base.toString(16).length) * exponent > mostBits)
      throw new TooLargeError(`it makes an integer of more than ${mostBits} bits`);
    return base ** exponent;
  }
  if (base === 0n) throw divisionByZero("0.0 cannot be raised to a negative power");
  return toFloat(base) ** toFloat(exponent);
}

const integerOperations: Readonly<Record<BinaryOperator, (a: bigint, b: bigint) => Value>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/"(a, b) {
    if (b === 0n) throw divisionByZero("division by zero");
    return toFloat(a) / toFloat(b);
  },
  "//"(a, b) {
    if (b === 0n) throw divisionByZero("integer division or modulo by zero");
    return floorQuotient(a, b);
  },
  "%"(a, b) {
    if (b === 0n) throw divisionByZero("integer modulo by zero");
    return a - b * floorQuotient(a, b);
  },
  "**": integerPower,
};

const floatOperations: Readonly<Record<BinaryOperator, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/"(a, b) {
    if (b === 0) throw divisionByZero("float division by zero");
    return a / b;
  },
  "//"(a, b) {
    if (b === 0) throw divisionByZero("float floor division by zero");
    return Math.round((a - floorRemainder(a, b)) / b);
  },
  "%"(a, b) {
    if (b === 0) throw divisionByZero("float modulo");
    return floorRemainder(a, b);
  },
  "**"(a, b) {
    if (a === 0 && b < 0) throw divisionByZero("0.0 cannot be raised to a negative power");
    if (a < 0 && !Number.isInteger(b)) throw typeError("complex numbers are not supported");
    const power = a ** b;
    if (!Number.isFinite(power) && Number.isFinite(a) && Number.isFinite(b))
      throw new PythonError("OverflowError", "Numerical result out of range");
    return power;
  },
};

/** Texts and lists one behind the other; undefined for other values. @throws PythonError for a text and something else */
function concatenated(left: Value, right: Value): Value | undefined {
  if (typeof left === "string" && typeof right === "string") return left + right;
  if (isText(left) && isText(right)) return new Markup(escapeMarkup(left).text + escapeMarkup(right).text);
  if (isList(left) && isList(right)) return joinedItems(left, right);
  if (left instanceof Tuple && right instanceof Tuple) return new Tuple(joinedItems(left.items, right.items));
  if (right instanceof Undefined) right.fail();
  const name = isText(left) ? "str" : isList(left) ? "list" : left instanceof Tuple ? "tuple" : undefined;
  if (name === undefined) return undefined;
  throw typeError(`can only concatenate ${name} (not "${typeNameOf(right)}") to ${name}`);
}

function joinedItems(left: readonly Value[], right: readonly Value[]): readonly Value[] {
  if (left.length + right.length > mostItems) throw tooManyItems();
  return [...left, ...right];
}

/** Undefined for a value that cannot be repeated. */
function repeated(value: Value, count: Value, run: Rendering): Value | undefined {
  const number = numericValue(count);
  if (typeof number !== "bigint") return undefined;
  const times = Math.max(0, Number(number));
  if (typeof value === "string") return repeatText(value, times, run);
  if (isList(value)) return repeatItems(value, times);
  return value instanceof Tuple ? new Tuple(repeatItems(value.items, times)) : undefined;
}

function repeatItems(items: readonly Value[], times: number): readonly Value[] {
  if (items.length * times > mostItems) throw tooManyItems();
  return items.length === 0
    ? []
    : Array.from({ length: items.length * times }, (_, at) => items[at % items.length] as Value);
}

/** @throws PythonError, as Python does; TooLargeError */
export function operate(left: Value, operator: BinaryOperator, right: Value, run: Rendering): Value {
  if (left instanceof Undefined) left.fail();
  const [a, b] = [numericValue(left), numericValue(right)];
  if (a !== undefined && b !== undefined) {
    if (typeof a === "number" || typeof b === "number") return floatOperations[operator](toFloat(a), toFloat(b));
    const value = integerOperations[operator](a, b);
    return typeof value === "bigint" ? bounded(value) : value;
  }
  if (operator === "%" && isText(left)) return formatPercent(plainText(left), right, run);
  const value =
    operator === "+"
      ? concatenated(left, right)
      : operator === "*"
        ? (repeated(left, right, run) ?? repeated(right, left, run))
        : undefined;
  if (value !== undefined) return value;
  if (right instanceof Undefined) right.fail();
  const name = operator === "**" ? "** or pow()" : operator;
  throw typeError(`unsupported operand type(s) for ${name}: '${typeNameOf(left)}' and '${typeNameOf(right)}'`);
}

/** `-value` and `+value`. @throws PythonError for a value that is no number */
export function withSign(operator: "-" | "+", value: Value): Value {
  const number = numberArgument(value, (type) => `bad operand type for unary ${operator}: '${type}'`);
  return operator === "-" ? -number : number;
}
