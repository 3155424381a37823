/** Python's `text.format(…)`, as the sandbox allows it, and `format_spec`. */
import { reprOf, pythonText } from "../values/represent.ts";
import { toFloat } from "../values/numbers.ts";
import { characterCount } from "../values/iterate.ts";
import { PythonError, typeError, valueError } from "../values/python-error.ts";
import { typeNameOf } from "../values/type-name.ts";
import { isText, type Arguments, type Rendering, type Value } from "../values/value.ts";
import { basedDigits, formatFloat, grouped, styledFloat } from "./format-number.ts";
import { floatText } from "../values/numbers.ts";
import { repeatText } from "./repeat-text.ts";

/** Finds the attribute and item of a field such as `0.name[key]`. */
export interface FieldAccess {
  attribute(value: Value, name: string): Value;
  item(value: Value, key: Value): Value;
}

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly separator: string;
  readonly precision: number | undefined;
  readonly style: string;
}

const specForm =
  /^(?:(?<fill>[^])?(?<align>[<>=^]))?(?<sign>[-+ ])?(?<alternate>#)?(?<zero>0)?(?<width>\d+)?(?<separator>[,_])?(?:\.(?<precision>\d+))?(?<style>[a-zA-Z%])?$/u;

function parseSpec(text: string, isNumber: boolean): Spec {
  const found = specForm.exec(text)?.groups;
  if (found === undefined) throw valueError("Invalid format specifier");
  const {
    fill,
    align,
    sign = "",
    alternate,
    zero,
    width = "0",
    separator = "",
    precision,
    style = "",
  } = found as Record<string, string | undefined>;
  return {
    fill: fill ?? (zero === undefined ? " " : "0"),
    align: align ?? (zero !== undefined && isNumber ? "=" : isNumber ? ">" : "<"),
    sign,
    alternate: alternate !== undefined,
    width: Number(width),
    separator,
    precision: precision === undefined ? undefined : Number(precision),
    style,
  };
}

function aligned(prefix: string, body: string, { fill, align, width }: Spec, run: Rendering): string {
  const missing = Math.max(0, width - characterCount(prefix) - characterCount(body));
  const left = align === ">" ? missing : align === "^" ? Math.floor(missing / 2) : 0;
  if (align === "=") return prefix + repeatText(fill, missing, run) + body;
  const right = missing - left;
  return repeatText(fill, left, run) + prefix + body + (align === ">" ? "" : repeatText(fill, right, run));
}

function integerBody(size: bigint, spec: Spec): { readonly mark: string; readonly body: string } {
  if (spec.style === "c") return { mark: "", body: String.fromCodePoint(Number(size)) };
  const { mark, digits } = basedDigits(size, spec.style);
  const body = spec.separator === "" ? digits : grouped(digits, spec.separator, mark === "" ? 3 : 4);
  return { mark: spec.alternate ? mark : "", body };
}

function floatBody(size: number, spec: Spec): string {
  const text =
    spec.style === "" || spec.style === "n"
      ? plainFloat(size, spec.precision)
      : styledFloat(size, spec.style, spec.precision, spec.alternate);
  if (spec.separator === "") return text;
  const [whole = "", ...rest] = text.split(/(?=[.e%])/i);
  return grouped(whole, spec.separator, 3) + rest.join("");
}

/** Like `g`, but with at least one digit after the point. */
function plainFloat(size: number, precision: number | undefined): string {
  if (precision === undefined) return floatText(size);
  const text = formatFloat(size, "g", precision);
  return /[.en]/.test(text) ? text : `${text}.0`;
}

function formatNumber(number: bigint | number, text: string, run: Rendering): string {
  const spec = parseSpec(text, true);
  const isFloat = typeof number === "number" || "eEfFgG%".includes(spec.style || " ");
  if (typeof number === "number" && spec.style !== "" && !"eEfFgGn%".includes(spec.style))
    throw valueError(`Unknown format code '${spec.style}' for object of type 'float'`);
  if (!isFloat && !"bcdoxXn".includes(spec.style || "d"))
    throw valueError(`Unknown format code '${spec.style}' for object of type 'int'`);
  if (!isFloat && spec.precision !== undefined) throw valueError("Precision not allowed in integer format specifier");
  const isNegative = number < 0 || Object.is(number, -0);
  const sign = isNegative ? "-" : spec.sign === "-" ? "" : spec.sign;
  if (isFloat) return aligned(sign, floatBody(Math.abs(toFloat(number)), spec), spec, run);
  const { mark, body } = integerBody(isNegative ? -number : number, spec);
  return aligned(sign + mark, body, spec, run);
}

/** `format(value, spec)`. @throws PythonError for a form that the value does not have */
export function formatValue(value: Value, text: string, run: Rendering): string {
  if (text === "") return pythonText(value, run.mostCharacters);
  if (typeof value === "bigint" || typeof value === "number") return formatNumber(value, text, run);
  if (typeof value === "boolean") return formatNumber(value ? 1n : 0n, text, run);
  if (!isText(value)) throw typeError(`unsupported format string passed to ${typeNameOf(value)}.__format__`);
  const spec = parseSpec(text, false);
  if (spec.style !== "" && spec.style !== "s")
    throw valueError(`Unknown format code '${spec.style}' for object of type 'str'`);
  if (spec.align === "=") throw valueError("'=' alignment not allowed in string format specifier");
  const characters = pythonText(value, run.mostCharacters);
  const shown = spec.precision === undefined ? characters : [...characters].slice(0, spec.precision).join("");
  return aligned("", shown, spec, run);
}

/** Replaces the fields of a format text. */
class BraceFormat {
  readonly #args: Arguments;
  readonly #access: FieldAccess;
  readonly #run: Rendering;
  #next = 0;
  /** Whether fields have numbers: all or none. */
  #isNumbered: boolean | undefined;
  constructor(args: Arguments, access: FieldAccess, run: Rendering) {
    this.#args = args;
    this.#access = access;
    this.#run = run;
  }

  write(format: string, depth = 2): string {
    if (depth < 0) throw valueError("Max string recursion exceeded");
    let text = "";
    for (let at = 0; at < format.length;) {
      const character = format[at] as string;
      if (character !== "{" && character !== "}") {
        text += character;
        at++;
      } else if (format[at + 1] === character) {
        text += character;
        at += 2;
      } else {
        const end = character === "{" ? endOfField(format, at + 1) : -1;
        if (end < 0) throw valueError(`Single '${character}' encountered in format string`);
        text += this.#field(format.slice(at + 1, end), depth);
        at = end + 1;
      }
    }
    return text;
  }

  #field(field: string, depth: number): string {
    const { name = "", conversion, spec = "" } = fieldForm.exec(field)?.groups ?? {};
    const value = this.#value(name);
    const converted =
      conversion === undefined ? value : (conversion === "s" ? pythonText : reprOf)(value, this.#run.mostCharacters);
    return formatValue(converted, this.write(spec, depth - 1), this.#run);
  }

  #value(name: string): Value {
    const [first = "", ...steps] = name.split(/(?=[.[])/);
    let value = this.#argument(first);
    for (const step of steps)
      value = step.startsWith(".")
        ? this.#access.attribute(value, step.slice(1))
        : this.#access.item(value, /^\[\d+\]$/.test(step) ? BigInt(step.slice(1, -1)) : step.slice(1, -1));
    return value;
  }

  #argument(name: string): Value {
    if (name !== "" && !/^\d+$/.test(name)) {
      const value = this.#args.named.get(name);
      if (value === undefined) throw valueError(`KeyError: '${name}'`);
      return value;
    }
    const isNumbered = name !== "";
    if ((this.#isNumbered ??= isNumbered) !== isNumbered)
      throw valueError("cannot switch between manual field specification and automatic field numbering");
    const at = isNumbered ? Number(name) : this.#next++;
    const value = this.#args.positional[at];
    if (value === undefined)
      throw new PythonError("ValueError", `Replacement index ${at} out of range for positional args tuple`);
    return value;
  }
}

const fieldForm = /^(?<name>[^!:]*)(?:!(?<conversion>[rsa]))?(?::(?<spec>[^]*))?$/;

/** The place of the brace that closes a field; -1 for none. */
function endOfField(format: string, from: number): number {
  let depth = 1;
  for (let at = from; at < format.length; at++) {
    if (format[at] === "{") depth++;
    else if (format[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

/** @throws PythonError, as Python does; TooLargeError */
export const formatBraces = (format: string, args: Arguments, access: FieldAccess, run: Rendering): string =>
  new BraceFormat(args, access, run).write(format);
