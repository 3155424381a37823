/** The texts of floats, and rounding as Python does it. */
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
  const power = Number(exponent);
  if (power < -4 || power >= 16) return sign + mantissa + exponentText(power);
  const plain = decimalText(mantissa.replace(".", ""), power);
  return sign + (plain.includes(".") ? plain : `${plain}.0`);
}

/** `e+16`: with a sign and at least two digits. */
export const exponentText = (power: number): string =>
  `e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;

/** The digits d.ddd × 10^power without an exponent. */
export function decimalText(digits: string, power: number): string {
  if (power < 0) return `0.${"0".repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, "0");
  const fraction = digits.slice(power + 1);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** The most digits after the point that the language's own rounding knows. */
export const mostFractionDigits = 100;

/** The number, which is not negative, with so many digits after the point; halves go to the even neighbour. */
export function fixedText(value: number, digits: number): string {
  if (value >= 1e21) return BigInt(value).toString() + (digits > 0 ? `.${"0".repeat(digits)}` : "");
  const shown = Math.min(digits, mostFractionDigits);
  const text = value.toFixed(shown) + "0".repeat(digits - shown);
  const exact = value.toFixed(mostFractionDigits);
  const rest = exact.slice(exact.indexOf(".") + 1 + digits);
  const isHalf = digits < mostFractionDigits && /^50*$/.test(rest);
  if (!isHalf) return text;
  const truncated = exact.slice(0, exact.length - rest.length).replace(/\.$/, "");
  return Number(truncated.at(-1)) % 2 === 0 ? truncated : roundedUp(truncated);
}

/** One more in the last place. */
function roundedUp(text: string): string {
  const point = text.indexOf(".");
  const digits = text.replace(".", "");
  const next = (BigInt(digits) + 1n).toString().padStart(digits.length, "0");
  if (point < 0) return next;
  const whole = next.length - (text.length - point - 1);
  return `${next.slice(0, whole)}.${next.slice(whole)}`;
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
