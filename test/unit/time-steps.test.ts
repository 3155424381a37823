import { expect, it } from "vitest";
import { timeSteps } from "../../server/contract/console/traffic/histogram.ts";

const at = Date.UTC(2026, 10, 20, 8, 30, 0);

it.each([
  ["half a minute", at, at + 30_000, 60, { first: at, stepMs: 1_000, count: 30 }],
  ["an hour that begins within a minute", at + 10_500, at + 3_610_500, 60, { first: at, stepMs: 120_000, count: 31 }],
  ["no time at all", at, at, 60, { first: at, stepMs: 1_000, count: 1 }],
])("a histogram covers %s by round steps", (_what, from, until, most, steps) => {
  expect(timeSteps(from, until, most)).toEqual(steps);
});

it("a histogram covers every time with at most as many bars as it may have", () => {
  for (const span of [1, 999, 60_001, 7_200_000, 400 * 86_400_000, 1.9e12])
    for (const most of [2, 7, 60, 200]) {
      const { first, stepMs, count } = timeSteps(at - span, at, most);
      expect(count).toBeLessThanOrEqual(most);
      expect(first).toBeLessThanOrEqual(at - span);
      expect(first + stepMs * count).toBeGreaterThanOrEqual(at);
    }
});
