/** What benchmarks print: medians, ranges, and ratios of values that were measured in turns. */
export const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
export const median = (values: readonly number[]) => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN;

export function spread(values: readonly number[], digits = 0): string {
  const order = sorted(values);
  return `${median(values).toFixed(digits)} (${(order[0] ?? NaN).toFixed(digits)} to ${(order.at(-1) ?? NaN).toFixed(digits)})`;
}

/** Prints a value beside its bar; false when it misses that. What is judged is what is printed. */
function judge(name: string, value: number, shown: string, bar: number, kind: "at least" | "at most"): boolean {
  const reached = kind === "at least" ? value >= bar : value <= bar;
  console.log(`${reached ? "ok  " : "MISS"} ${name}: ${shown}, ${kind} ${String(bar)}`);
  return reached;
}

export const atMost = (name: string, value: number, bar: number): boolean =>
  judge(name, Math.round(value), value.toFixed(0), bar, "at most");

/** The ratios of two series, pair by pair. */
export const ratios = (ours: readonly number[], theirs: readonly number[]) =>
  ours.map((value, round) => value / (theirs[round] ?? NaN));

/** The ratio of two series, pair by pair, by its median. */
export function ratio(
  name: string,
  ours: readonly number[],
  theirs: readonly number[],
  bar: number,
  kind: "at least" | "at most" = "at least",
): boolean {
  const values = ratios(ours, theirs);
  return judge(name, Number(median(values).toFixed(2)), spread(values, 2), bar, kind);
}

/** A median with the ends of its 95 % interval. */
export interface Interval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The interval by order statistics, which asks nothing of the distribution: by tosses of a coin, fewer than `rank` of the
 * values lie below the median of all possible ones with at most 2.5 %, and fewer than `rank` above.
 */
export function medianInterval(values: readonly number[]): Interval {
  const order = sorted(values);
  const count = order.length;
  let rank = 0;
  let exactly = 0.5 ** count;
  for (let atMostRank = exactly; atMostRank <= 0.025; atMostRank += exactly) {
    rank++;
    exactly *= (count - rank + 1) / rank;
  }
  const [low = Number.NaN, high = Number.NaN] = [order[Math.max(rank, 1) - 1], order[count - Math.max(rank, 1)]];
  return { median: median(values), low, high };
}
