/** JSON whose whole numbers keep all of their digits, or are found. */

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Digits without zeros at either end, and the power of ten behind them: equal for equal decimals. */
function decimalOf(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  return `${sign}${digits.slice(start, end)}e${String(Number(exponent) - fraction.length + digits.length - end)}`;
}

/** Whether a number beyond 2^53 is another one once it is written again. `1234567890123456789` is. */
export function isRounded(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value) || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  return decimalOf(number) !== decimalOf(String(value));
}

/** A number as it is written: NaN where it would be rounded, for validation to refuse. */
export const exactNumber = (number: string): number => (isRounded(number) ? NaN : Number(number));

/** A reviver is slow, and numbers of so many digits are rare. */
const mayBeRounded = /\d[\d.]{15}/;

/**
 * Like `JSON.parse`. `rounded` makes the value of a whole number that JavaScript would round from its text: NaN unless given.
 * @throws SyntaxError
 */
export function parseExactJson(text: string, rounded: (number: string) => unknown = () => NaN): unknown {
  if (!mayBeRounded.test(text)) return JSON.parse(text);
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && isRounded(source) ? rounded(source) : value;
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, revive);
}

/** For the `rounded` of a text that is sent on: the number stays as it is written. */
export const asWritten = (number: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(number);
