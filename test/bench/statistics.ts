/** What benchmarks print: medians, ranges, and ratios of values that were measured in turns. */
export const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
export const median = (values: readonly number[]) => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN;

export function spread(values: readonly number[], digits = 0): string {
  const order = sorted(values);
  return `${median(values).toFixed(digits)} (${(order[0] ?? NaN).toFixed(digits)} to ${(order.at(-1) ?? NaN).toFixed(digits)})`;
}

/** Prints the ratio of two series, pair by pair; false when its median misses the bar. */
export function ratio(
  name: string,
  ours: readonly number[],
  theirs: readonly number[],
  bar: number,
  kind: "at least" | "at most" = "at least",
): boolean {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? NaN));
  const reached = kind === "at least" ? median(ratios) >= bar : median(ratios) <= bar;
  console.log(`${reached ? "ok  " : "MISS"} ${name}: ${spread(ratios, 2)}, ${kind} ${String(bar)}`);
  return reached;
}
