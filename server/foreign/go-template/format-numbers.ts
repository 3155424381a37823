/** Numbers and quoted texts as Go's fmt writes them. */
import {
  exponentialText,
  exponentText,
  fixedText,
  generalForm,
  mostFractionDigits,
  withoutZeros,
} from "../decimal-text.ts";

/** The flags, width and precision of a verb. */
export interface Flags {
  readonly minus?: boolean;
  readonly plus?: boolean;
  readonly sharp?: boolean;
  readonly space?: boolean;
  readonly zero?: boolean;
  /** Fields of structs have their names: `%+v`. */
  readonly named?: boolean;
  /** Methods String are not called: in reports of a wrong verb. */
  readonly plain?: boolean;
  readonly width?: number | undefined;
  readonly precision?: number | undefined;
}

export function padText(text: string, { width = 0, minus = false, zero = false }: Flags): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  return minus ? text + " ".repeat(missing) : (zero ? "0" : " ").repeat(missing) + text;
}

const signOf = (isNegative: boolean, { plus = false, space = false }: Flags) =>
  isNegative ? "-" : plus ? "+" : space ? " " : "";

/** Zeros go between the sign and the digits. */
function signed(sign: string, digits: string, flags: Flags): string {
  const { zero = false, minus = false, width = 0 } = flags;
  if (!zero || minus) return padText(sign + digits, { ...flags, zero: false });
  return sign + digits.padStart(width - sign.length, "0");
}

const bases: Readonly<Record<string, readonly [base: number, prefix: string]>> = {
  v: [10, ""],
  d: [10, ""],
  b: [2, "0b"],
  o: [8, "0"],
  O: [8, "0o"],
  x: [16, "0x"],
  X: [16, "0X"],
};

const characterOf = (code: bigint) => (code >= 0n && code <= 0x10ffffn ? String.fromCodePoint(Number(code)) : "\ufffd");

/** Undefined for a verb that is none of whole numbers. */
export function formatInteger(value: bigint, verb: string, flags: Flags): string | undefined {
  if (verb === "c") return padText(characterOf(value), flags);
  if (verb === "q") return padText(quotedCharacter(value), flags);
  if (verb === "U") return padText(`U+${value.toString(16).toUpperCase().padStart(4, "0")}`, { ...flags, zero: false });
  const found = Object.hasOwn(bases, verb) ? bases[verb] : undefined;
  if (found === undefined) return undefined;
  const [base, prefix] = found;
  const { precision } = flags;
  if (precision === 0 && value === 0n) return padText("", { ...flags, zero: false });
  let digits = (value < 0n ? -value : value).toString(base).padStart(precision ?? 0, "0");
  if (verb === "X") digits = digits.toUpperCase();
  if (verb === "O" || (flags.sharp === true && prefix !== "")) digits = prefix + digits;
  return signed(signOf(value < 0n, flags), digits, precision === undefined ? flags : { ...flags, zero: false });
}

/** `%g`: the shorter of two forms. */
function general(value: number, precision: number | undefined): string {
  const wanted = Math.max(precision ?? 6, 1);
  const text =
    precision === undefined ? value.toExponential() : exponentialText(value, Math.min(wanted, mostFractionDigits) - 1);
  const [mantissa = "", exponent] = text.split("e");
  const digits = withoutZeros(mantissa.replace(".", ""));
  const { length } = digits;
  const power = Number(exponent);
  return generalForm(digits, power, precision !== undefined && wanted > length && length > power ? length : wanted);
}

function unsigned(value: number, verb: string, precision: number | undefined): string | undefined {
  const places = Math.min(precision ?? 6, mostFractionDigits);
  switch (verb) {
    case "v":
    case "g":
      return general(value, precision);
    case "G":
      return general(value, precision).toUpperCase();
    case "f":
    case "F":
      return fixedText(value, places);
    case "e":
    case "E": {
      const [mantissa = "", exponent] = exponentialText(value, places).split("e");
      const text = mantissa + exponentText(Number(exponent));
      return verb === "E" ? text.toUpperCase() : text;
    }
    default:
      return undefined;
  }
}

/** Undefined for a verb that is none of fractions. */
export function printFloat(value: number, verb: string, flags: Flags): string | undefined {
  const text = unsigned(Math.abs(value), verb, flags.precision);
  return text && signed(signOf(value < 0 || Object.is(value, -0), flags), text, flags);
}

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
};
export const isPrintable = (character: string) => character === " " || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);

function escapedCharacter(character: string, quote: string): string {
  if (character === quote) return `\\${quote}`;
  const known = escapes[character];
  if (known !== undefined) return known;
  if (isPrintable(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x20 || code === 0x7f) return `\\x${hex.padStart(2, "0")}`;
  return code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}

export const quotedString = (text: string) =>
  `"${Array.from(text, (character) => escapedCharacter(character, '"')).join("")}"`;

const quotedCharacter = (code: bigint) => `'${escapedCharacter(characterOf(code), "'")}'`;
