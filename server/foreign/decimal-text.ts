/** Numbers in decimals, rounded as Python and C do: halves go to the even neighbour. JavaScript rounds them up. */

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

/** Significant digits without zeros at their end. */
export function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return digits.slice(0, end) || "0";
}

/** The digits d.ddd × 10^power: plain from 10^-4 up to below 10^limit, and else with an exponent. */
export function generalForm(digits: string, power: number, limit: number): string {
  if (power >= -4 && power < limit) return decimalText(digits, power);
  return digits.slice(0, 1) + (digits.length > 1 ? `.${digits.slice(1)}` : "") + exponentText(power);
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

/** The number, which is not negative, as `toExponential` writes it, but halves go to the even neighbour. */
export function exponentialText(value: number, digits: number): string {
  const [exact = "", power = "0"] = value.toExponential(mostFractionDigits).split("e");
  const end = digits === 0 ? 1 : digits + 2;
  const isHalf = /^\.?50*$/.test(exact.slice(end)) && Number(exact[end - 1]) % 2 === 0;
  return isHalf ? `${exact.slice(0, end)}e${power}` : value.toExponential(digits);
}
