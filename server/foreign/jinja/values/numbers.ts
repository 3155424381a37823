/** The texts of floats, and rounding as Python does it. */
import { fixedText, generalForm, mostFractionDigits } from "../../decimal-text.ts";
import { PythonError } from "./python-error.ts";

/** @throws PythonError for an integer that no float is near to */
export function toFloat(value: bigint | number): number {
  const float = Number(value);
  if (typeof value === "bigint" && !Number.isFinite(float))
    throw new PythonError("OverflowError", "int too large to convert to float");
  return float;
}

/** The shortest text that means the number: `1.0`, `1e+16`, `0.1`. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const [mantissa = "", exponent = "0"] = Math.abs(value).toExponential().split("e");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const text = generalForm(mantissa.replace(".", ""), Number(exponent), 16);
  return sign + (/[.e]/.test(text) ? text : `${text}.0`);
}

/** Rounded to so many digits after the point, or before it where `digits` is negative. */
export function roundFloat(value: number, digits: number): number {
  if (!Number.isFinite(value) || digits > mostFractionDigits) return value;
  if (digits >= 0) return Math.sign(value) * Number(fixedText(Math.abs(value), digits));
  const unit = 10 ** -digits;
  return Math.sign(value) * Number(fixedText(Math.abs(value) / unit, 0)) * unit;
}

/** An integer rounded to a multiple of a power of ten; halves go to the even neighbour. */
export function roundInteger(value: bigint, digits: number): bigint {
  if (digits >= 0) return value;
  if (digits < -400) return 0n;
  const unit = 10n ** BigInt(-digits);
  const rest = ((value % unit) + unit) % unit;
  const below = value - rest;
  const isUp = rest * 2n > unit || (rest * 2n === unit && (below / unit) % 2n !== 0n);
  return isUp ? below + unit : below;
}
