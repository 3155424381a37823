/** Numbers as `%` and `format()` write them, without their sign and width. */
import { decimalText, exponentialText, exponentText, fixedText, mostFractionDigits } from "../../decimal-text.ts";

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

function generalText(value: number, digits: number, keepsZeros: boolean): string {
  const [mantissa = "", exponent = "0"] = exponentialText(value, digits - 1).split("e");
  const power = Number(exponent);
  const isPlain = power >= -4 && power < digits;
  const text = isPlain ? decimalText(mantissa.replace(".", ""), power) : mantissa;
  const trimmed = keepsZeros || !text.includes(".") ? text : withoutZeros(text);
  return isPlain ? trimmed : trimmed + exponentText(power);
}

function withoutZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === "0") end--;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}

/** The digits of an integer of a base, in groups of `size`. */
export function grouped(digits: string, separator: string, size: number): string {
  const first = digits.length % size;
  const groups = first === 0 ? [] : [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += size) groups.push(digits.slice(at, at + size));
  return groups.join(separator);
}
