/** Tables are read in the source, too: a cell that is too long for a line becomes a list. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./read-blocks.ts";

const files = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" }).trim().split("\n");

/** Columns in a terminal: Chinese characters take two. */
const widthOf = (text: string) =>
  text.length + (text.match(/[\u2E80-\uA4CF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60]/g)?.length ?? 0);

const cellsOf = (line: string) => line.split(/(?<!\\)\|/).map((cell) => cell.trim());

function longCells(file: string): string[] {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  return lines.flatMap((line, at) => {
    const isRow = /^ *\|/.test(line) && !/^[ |:-]+$/.test(line);
    return isRow && cellsOf(line).some((cell) => widthOf(cell) > 120) ? [`${file}:${String(at + 1)}`] : [];
  });
}

it("no cell of a table in any Markdown file is wider than 120 columns", () => {
  expect(files.length).toBeGreaterThan(80);
  expect(files.flatMap(longCells)).toEqual([]);
});
