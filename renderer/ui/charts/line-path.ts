/** The next round number above all values, of which half is round, too; 1 if there is none. */
export function roundMaximum(values: readonly number[]): number {
  const most = Math.max(0, ...values);
  if (most === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= most) ?? 10;
  return step * power;
}

/**
 * The path of a line in a box of 1 by 1 with its origin at the top. `x`: from 0 to 1; `y`: from 0 to `most`, null is a gap. A
 * value between two gaps is a dot.
 */
export function linePath(points: readonly { x: number; y: number | null }[], most: number): string {
  const steps = points.map(({ x, y }, index) => {
    if (y === null) return "";
    const place = `${x.toFixed(4)} ${(1 - y / most).toFixed(4)}`;
    const goesOn = index > 0 && points[index - 1]?.y !== null;
    return goesOn ? `L${place}` : `M${place}L${place}`;
  });
  return steps.join("");
}
