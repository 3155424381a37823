import { expect, it } from "vitest";
import { boundLines, hasLongRun, withBrokenRuns } from "../../../../renderer/ui/code/bounded-text.ts";

const longest = (text: string) => Math.max(...text.split("\n").map(({ length }) => length));

it("Long lines are cut, or go on as further ones, and the others stay", () => {
  const long = `{"a":"${"x".repeat(10_000)}"}`;
  const bounded = boundLines(`first\n${long}\nlast`);
  expect(longest(bounded?.cut ?? "")).toBeLessThan(2_500);
  expect(bounded?.cut).toMatch(/^first\n\{"a":"x+…\nlast$/);
  expect(longest(bounded?.broken ?? "")).toBeLessThan(2_500);
  expect(bounded?.broken.replaceAll("\n", "")).toBe(`first${long}last`);
  expect((bounded?.cut.length ?? 0) + (bounded?.hidden ?? 0)).toBe(`first\n${long}\nlast`.length + "…".length);
  expect(boundLines("x\n".repeat(100_000))).toBe(undefined);
});

it("A pair of surrogates is in one line", () => {
  const text = `a${"😀".repeat(5_000)}`;
  expect(
    boundLines(text)
      ?.broken.split("\n")
      .every((line) => line.isWellFormed()),
  ).toBe(true);
  expect(
    withBrokenRuns(text)
      .split("\n")
      .every((line) => line.isWellFormed()),
  ).toBe(true);
});

it("A run of marks or letters without a space is broken, and code and sentences are not", () => {
  expect(longest(withBrokenRuns(`e${"\u0301".repeat(250_000)}`))).toBeLessThan(1_000);
  for (const text of ["x".repeat(5_000), "第一句，没有空格。".repeat(500), "\u0634\u0634 ".repeat(2_000)]) {
    expect(withBrokenRuns(text)).toBe(text);
    expect(hasLongRun(text)).toBe(false);
  }
});
