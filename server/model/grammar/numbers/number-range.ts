/** Numbers beyond a bound, as patterns of how they are written: digit by digit. */
import { decimalOf, type Decimal } from "./decimal.ts";

const anyFraction = "(?:\\.\\d+)?";
const any = `(?:0|[1-9]\\d*)${anyFraction}`;

/** For each place: the same digits before, and a digit beyond that one's. */
const digitsBeyond = (digits: string, beyond: (digit: number) => string | undefined, rest: (left: number) => string) =>
  Array.from(digits).flatMap((digit, at) => {
    const range = beyond(Number(digit));
    return range === undefined ? [] : [`${digits.slice(0, at)}${range}${rest(digits.length - at - 1)}`];
  });
const above = (digit: number) => (digit === 9 ? undefined : `[${String(digit + 1)}-9]`);
const below = (digit: number) => (digit === 0 ? undefined : `[0-${String(digit - 1)}]`);
const exactly = (left: number) => (left === 0 ? "" : `\\d{${String(left)}}`);
const orNothing = (alternatives: readonly string[]) => (alternatives.length === 0 ? "(?!)" : alternatives.join("|"));
/** Numbers without a sign that are larger; with the bound itself where it belongs to them. */
function larger({ whole, fraction }: Decimal, isOpen: boolean): string {
  const wholes = [`[1-9]\\d{${String(whole.length)},}`, ...digitsBeyond(whole, above, exactly)];
  const fractions = digitsBeyond(fraction, above, () => "\\d*");
  const same = isOpen ? `${fraction}\\d*[1-9]\\d*` : `${fraction}\\d*`;
  const isWhole = fraction === "" && !isOpen;
  return `(?:${wholes.join("|")})${anyFraction}|${whole}(?:\\.(?:${[...fractions, same].join("|")}))${isWhole ? "?" : ""}`;
}

/** Numbers without a sign that are smaller. */
function smaller({ whole, fraction }: Decimal, isOpen: boolean): string {
  const shorter = whole.length > 1 ? ["0", `[1-9]\\d{0,${String(whole.length - 2)}}`] : [];
  const sameLength = digitsBeyond(whole, below, exactly).map((pattern) =>
    whole.length > 1 ? pattern.replace(/^\[0-/, "[1-") : pattern,
  );
  // `[1-0]`: the first digit was a one.
  const wholes = [...shorter, ...sameLength.filter((pattern) => !pattern.startsWith("[1-0]"))];
  const fractions = [
    ...digitsBeyond(fraction, below, () => "\\d*"),
    ...Array.from({ length: Math.max(0, fraction.length - 1) }, (_, at) => fraction.slice(0, at + 1)),
    ...(isOpen ? [] : [`${fraction}0*`]),
  ].filter((pattern) => pattern !== "");
  const alone = fraction !== "" || !isOpen ? [whole] : [];
  return orNothing([
    ...(wholes.length === 0 ? [] : [`(?:${wholes.join("|")})${anyFraction}`]),
    ...alone,
    ...(fractions.length === 0 ? [] : [`${whole}\\.(?:${fractions.join("|")})`]),
  ]);
}

const isZero = ({ whole, fraction }: Decimal) => whole === "0" && fraction === "";

/** The pattern of numbers, as JSON writes them without an exponent, that are at least the bound; more, where it is open. */
export function atLeast(bound: number, isOpen: boolean): string {
  const decimal = decimalOf(bound);
  if (!decimal.isNegative || isZero(decimal)) return `^(?:${larger(decimal, isOpen)})$`;
  return `^(?:${any}|-(?:${smaller(decimal, isOpen)}))$`;
}
/** The same for those that are at most the bound. */
export function atMost(bound: number, isOpen: boolean): string {
  const decimal = decimalOf(bound);
  if (decimal.isNegative && !isZero(decimal)) return `^-(?:${larger(decimal, isOpen)})$`;
  const negative = isZero(decimal) && isOpen ? larger(decimal, true) : any;
  return `^(?:${smaller(decimal, isOpen)}|-(?:${negative}))$`;
}
