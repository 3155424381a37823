/** Reads bills as merchants do: cells behind backticks, by the names of their columns. */
import { expect } from "vitest";

type Cells = Record<string, string>;

/** The cells of a line, exactly one for each name. */
function cellsOf(line: string, names: readonly string[]): Cells {
  const cells = line.slice(1).split(",`");
  expect(line.startsWith("`")).toBe(true);
  expect(cells).toHaveLength(names.length);
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
}

/** @param text without the mark of UTF-8 */
export function readBill(text: string): { readonly rows: readonly Cells[]; readonly summary: Cells } {
  const [columns = "", ...lines] = text.trimEnd().split("\r\n");
  const [summaryColumns = "", summary = ""] = lines.slice(-2);
  return {
    rows: lines.slice(0, -2).map((line) => cellsOf(line, columns.split(","))),
    summary: cellsOf(summary, summaryColumns.split(",")),
  };
}
