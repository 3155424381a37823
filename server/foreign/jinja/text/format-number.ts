/** Numbers as `%` and `format()` write them, without their sign and width. */
import {
  exponentialText,
  exponentText,
  fixedText,
  generalForm,
  mostFractionDigits,
  withoutZeros,
} from "../../decimal-text.ts";
import { integerText } from "../values/represent.ts";

export type FloatStyle = "e" | "f" | "g" | "%";

/** The number, which is not negative, in one of the styles of C's `printf`. `keepsZeros`: `#`. */
export function formatFloat(value: number, style: FloatStyle, precision: number, keepsZeros = false): string {
  if (style === "%") return `${formatFloat(value * 100, "f", precision, keepsZeros)}%`;
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : "inf";
  if (style === "f") return fixedText(value, precision);
  if (style === "e") {
    const [mantissa = "", power = "0"] = exponentialText(value, Math.min(precision, mostFractionDigits)).split("e");
    return mantissa + exponentText(Number(power));
  }
  return generalText(value, Math.min(Math.max(precision, 1), mostFractionDigits), keepsZeros);
}

function generalText(value: number, count: number, keepsZeros: boolean): string {
  const [mantissa = "", power] = exponentialText(value, count - 1).split("e");
  const digits = mantissa.replace(".", "");
  return generalForm(keepsZeros ? digits : withoutZeros(digits), Number(power), count);
}

/** The number in a style whose upper case means that of its letters. */
export function styledFloat(value: number, style: string, precision = 6, keepsZeros = false): string {
  const lower = style.toLowerCase();
  const text = formatFloat(value, lower as FloatStyle, Math.min(precision, 1000), keepsZeros);
  return style === lower ? text : text.toUpperCase();
}

const bases: Readonly<Record<string, readonly [radix: number, mark: string]>> = {
  b: [2, "0b"],
  o: [8, "0o"],
  x: [16, "0x"],
};

/** The digits of an integer, which is not negative, in a base, and the base's mark. */
export function basedDigits(size: bigint, style: string): { readonly mark: string; readonly digits: string } {
  const [radix, mark] = bases[style.toLowerCase()] ?? [10, ""];
  const digits = radix === 10 ? integerText(size) : size.toString(radix);
  return style === "X" ? { mark: mark.toUpperCase(), digits: digits.toUpperCase() } : { mark, digits };
}

/** The digits of an integer of a base, in groups of `size`. */
export function grouped(digits: string, separator: string, size: number): string {
  const first = digits.length % size;
  const groups = first === 0 ? [] : [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += size) groups.push(digits.slice(at, at + size));
  return groups.join(separator);
}
