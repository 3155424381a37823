/** Python's `text % values`. */
import { reprOf, pythonText } from "../values/represent.ts";
import { numberArgument } from "../values/arguments.ts";
import { toFloat } from "../values/numbers.ts";
import { typeError, valueError } from "../values/python-error.ts";
import { Dict, isText, Range, Tuple, Undefined, type Rendering, type Value } from "../values/value.ts";
import { basedDigits, styledFloat } from "./format-number.ts";
import { repeatText } from "./repeat-text.ts";

interface Directive {
  readonly flags: string;
  readonly precision: number | undefined;
  readonly conversion: string;
}

const directive =
  /%(?:\((?<key>[^()]*)\))?(?<flags>[-+ #0]*)(?<width>\*|\d*)(?:\.(?<precision>\*|\d*))?[hlL]?(?<conversion>[^])/g;

/** Takes the values in order, or by their keys. */
class PercentValues {
  readonly #values: readonly Value[];
  /** Undefined for values without keys: all of those have to be taken. */
  readonly #keyed: Value | undefined;
  #taken = 0;
  constructor(values: Value) {
    this.#values = values instanceof Tuple ? values.items : [values];
    const hasKeys =
      values instanceof Dict || values instanceof Range || values instanceof Undefined || Array.isArray(values);
    this.#keyed = hasKeys ? values : undefined;
  }
  next(key: string | undefined): Value {
    if (key !== undefined) return this.#at(key);
    const value = this.#values[this.#taken++];
    if (value === undefined) throw typeError("not enough arguments for format string");
    return value;
  }
  #at(key: string): Value {
    if (this.#keyed instanceof Undefined) this.#keyed.fail();
    if (!(this.#keyed instanceof Dict)) throw typeError("format requires a mapping");
    const value = this.#keyed.get(key);
    if (value === undefined) throw valueError(`KeyError: '${key}'`);
    return value;
  }
  /** `*` as a width or precision. */
  number(text: string | undefined): number | undefined {
    if (text === undefined) return undefined;
    if (text !== "*") return Number(text);
    const value = this.next(undefined);
    if (typeof value !== "bigint") throw typeError("* wants int");
    return Number(value);
  }
  end(): void {
    if (this.#taken < this.#values.length && this.#keyed === undefined)
      throw typeError("not all arguments converted during string formatting");
  }
}

/** @throws PythonError, as Python does; TooLargeError */
export function formatPercent(format: string, values: Value, run: Rendering): string {
  const source = new PercentValues(values);
  const text = format.replace(directive, (_all, ...rest: unknown[]) => {
    const { key, flags = "", width, precision, conversion = "" } = rest.at(-1) as Record<string, string | undefined>;
    if (conversion === "%") return "%";
    const columns = source.number(width) ?? 0;
    const digits = source.number(precision);
    return pad(convert({ flags, precision: digits, conversion }, source.next(key), run), columns, flags, run);
  });
  source.end();
  return text;
}

interface Converted {
  /** `-`, `+`, a blank, and the mark of a base. */
  readonly prefix: string;
  readonly body: string;
  readonly isNumber: boolean;
}

function pad({ prefix, body, isNumber }: Converted, width: number, flags: string, run: Rendering): string {
  const missing = Math.max(0, Math.abs(width) - prefix.length - body.length);
  if (width < 0 || flags.includes("-")) return prefix + body + repeatText(" ", missing, run);
  if (isNumber && flags.includes("0")) return prefix + repeatText("0", missing, run) + body;
  return repeatText(" ", missing, run) + prefix + body;
}

function convert({ flags, precision, conversion }: Directive, value: Value, run: Rendering): Converted {
  switch (conversion) {
    case "s":
    case "r":
    case "a": {
      const write = conversion === "s" ? pythonText : reprOf;
      return { prefix: "", body: write(value, run.mostCharacters).slice(0, precision), isNumber: false };
    }
    case "c":
      return { prefix: "", body: characterOf(value), isNumber: false };
    case "d":
    case "i":
    case "u":
    case "x":
    case "X":
    case "o":
      return convertInteger({ flags, precision, conversion }, value);
    case "e":
    case "E":
    case "f":
    case "F":
    case "g":
    case "G":
      return convertFloat({ flags, precision, conversion }, value);
    default:
      throw valueError(`unsupported format character '${conversion}'`);
  }
}

function characterOf(value: Value): string {
  if (typeof value === "bigint" && value >= 0n && value < 0x110000n) return String.fromCodePoint(Number(value));
  if (isText(value) && [...pythonText(value, 2)].length === 1) return pythonText(value, 2);
  throw typeError("%c requires int or char");
}

const signOf = (isNegative: boolean, flags: string) =>
  isNegative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";

function convertInteger({ flags, precision = 0, conversion }: Directive, value: Value): Converted {
  const wanted = "diu".includes(conversion) ? "a real number" : "an integer";
  const number = numberArgument(value, (type) => `%${conversion} format: ${wanted} is required, not ${type}`);
  if (typeof number === "number" && "xXo".includes(conversion))
    throw typeError(`%${conversion} format: an integer is required, not float`);
  if (typeof number === "number" && !Number.isFinite(number)) throw valueError("cannot convert float to integer");
  const integer = typeof number === "number" ? BigInt(Math.trunc(number)) : number;
  const { mark, digits } = basedDigits(integer < 0n ? -integer : integer, conversion);
  return {
    prefix: signOf(integer < 0n, flags) + (flags.includes("#") ? mark : ""),
    body: digits.padStart(Math.min(precision, 1000), "0"),
    isNumber: true,
  };
}

function convertFloat({ flags, precision, conversion }: Directive, value: Value): Converted {
  const float = toFloat(numberArgument(value, (type) => `must be real number, not ${type}`));
  const body = styledFloat(Math.abs(float), conversion, precision, flags.includes("#"));
  return { prefix: signOf(float < 0 || Object.is(float, -0), flags), body, isNumber: true };
}
