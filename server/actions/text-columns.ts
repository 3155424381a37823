/** Texts for people: aligned columns, money, times. */

/** Rows as lines with aligned columns. Empty cells at the end of a line leave no spaces. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Fen as yuan: 199 is ¥1.99. */
export const yuan = (fen: number): string => `¥${(fen / 100).toFixed(2)}`;

/** The time of day of an ISO time, in local time with milliseconds. */
export function clockTime(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}
