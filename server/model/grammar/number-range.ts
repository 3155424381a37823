/** Grammar of numbers between bounds, written digit by digit. */

const nines = (length: number) => "9".repeat(length);
const zeros = (length: number) => "0".repeat(length);
const anyDigits = (count: number) => (count === 0 ? "" : ` [0-9]{${String(count)}}`);

/** Numbers of equal length from `low` to `high`, leading zeros included. */
function sameLength(low: string, high: string): string {
  if (low === high) return `"${low}"`;
  const [first, last, rest] = [low.charAt(0), high.charAt(0), low.length - 1];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (first === last) return `"${first}" (${sameLength(lowRest, highRest)})`;
  const isWholeLow = lowRest === zeros(rest);
  const isWholeHigh = highRest === nines(rest);
  const from = Number(first) + (isWholeLow ? 0 : 1);
  const to = Number(last) - (isWholeHigh ? 0 : 1);
  return [
    ...(isWholeLow ? [] : [`"${first}" (${sameLength(lowRest, nines(rest))})`]),
    ...(from <= to ? [`[${String(from)}-${String(to)}]${anyDigits(rest)}`] : []),
    ...(isWholeHigh ? [] : [`"${last}" (${sameLength(zeros(rest), highRest)})`]),
  ].join(" | ");
}

/** Digits beyond those of a bound that an unbounded number may have. */
const longestNumber = 16;

/** Whole numbers from `low` to `high` (undefined: no bound), both ≥ 0; undefined when there is none. */
function naturals(low: bigint, high: bigint | undefined): string | undefined {
  if (high !== undefined && high < low) return undefined;
  const [start, end] = [String(low), high === undefined ? undefined : String(high)];
  const last = end?.length ?? start.length;
  const bodies: string[] = [];
  for (let length = start.length; length <= last; length++) {
    const least = length === start.length ? start : `1${zeros(length - 1)}`;
    const most = length === end?.length ? end : nines(length);
    bodies.push(sameLength(least, most));
  }
  if (end === undefined)
    bodies.push(`[1-9] [0-9]{${String(start.length)},${String(Math.max(longestNumber, start.length))}}`);
  return bodies.join(" | ");
}

export interface Bounds {
  readonly min?: bigint | undefined;
  readonly max?: bigint | undefined;
  /** Whether the bound itself is left out. */
  readonly isMinOpen?: boolean;
  readonly isMaxOpen?: boolean;
}

/** The bounds of the numbers without their sign. */
const mirrored = ({ min, max, isMinOpen, isMaxOpen }: Bounds): Bounds => ({
  min: max === undefined ? undefined : -max,
  max: min === undefined ? undefined : -min,
  isMinOpen: isMaxOpen ?? false,
  isMaxOpen: isMinOpen ?? false,
});

/** Numbers ≥ 0 within the bounds, with up to `fraction` digits behind the point. */
function unsigned({ min, max, isMinOpen = false, isMaxOpen = false }: Bounds, fraction: number): string[] {
  if (max !== undefined && max < 0n) return [];
  const isBelow = min === undefined || min < 0n;
  const low = isBelow ? 0n : min;
  const lowOpen = !isBelow && isMinOpen;
  const digits = `[0-9]{1,${String(fraction)}}`;
  const bodies: string[] = [];
  // Up to the highest number, which stands alone; with a fraction behind them unless they are the open lower bound.
  const inner = naturals(lowOpen ? low + 1n : low, max === undefined ? undefined : max - 1n);
  const tail = fraction > 0 ? ` ("." ${digits})?` : "";
  if (inner !== undefined) bodies.push(`(${inner})${tail}`);
  if (lowOpen && fraction > 0 && (max === undefined || max > low))
    bodies.push(`"${String(low)}." [0-9]{0,${String(fraction - 1)}} [1-9]`);
  if (max !== undefined && !isMaxOpen && (max > low || (max === low && !lowOpen)))
    bodies.push(`"${String(max)}"${fraction > 0 ? ' ("." "0"{1,3})?' : ""}`);
  return bodies;
}

/** The body of a rule for these numbers, undefined when there are none. `fraction`: 0 for whole numbers. */
export function numberRange(bounds: Bounds, fraction: number): string | undefined {
  const negative = unsigned(mirrored(bounds), fraction).map((body) => `"-" (${body})`);
  const bodies = [...unsigned(bounds, fraction), ...negative];
  return bodies.length === 0 ? undefined : bodies.join(" | ");
}
