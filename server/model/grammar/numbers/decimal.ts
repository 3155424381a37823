/** Numbers as JSON writes them, without the rounding of floating point. */
import { trimEndOf } from "../../../contract/trim-end-of.ts";

export interface Decimal {
  readonly isNegative: boolean;
  /** Digits before the point, without zeros in front, and behind it, without zeros at the end. */
  readonly whole: string;
  readonly fraction: string;
}

export function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const before = point <= 0 ? "0" : digits.slice(0, point).padEnd(point, "0");
  const behind = point <= 0 ? "0".repeat(-point) + digits : digits.slice(point);
  return {
    isNegative: value < 0,
    whole: before.replace(/^0+(?=\d)/, ""),
    fraction: trimEndOf(behind, "0"),
  };
}

/** As a whole number of units of the last of so many places behind the point. */
export const scaled = ({ isNegative, whole, fraction }: Decimal, places: number): bigint =>
  BigInt(`${isNegative ? "-" : ""}${whole}${fraction.padEnd(places, "0")}`);

export function isMultiple(value: number, of: number): boolean {
  const [one, other] = [decimalOf(value), decimalOf(of)];
  const places = Math.max(one.fraction.length, other.fraction.length);
  return scaled(other, places) !== 0n && scaled(one, places) % scaled(other, places) === 0n;
}
