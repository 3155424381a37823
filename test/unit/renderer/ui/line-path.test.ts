import { describe, expect, it } from "vitest";
import { linePath, roundMaximum } from "../../../../renderer/ui/charts/line-path.ts";

describe("A line of the charts", () => {
  it("ends its axis at a round number whose half is round, too", () => {
    expect([[], [0], [0.3, 0.7], [1], [3], [13.7, 2], [41], [96], [700]].map(roundMaximum)).toEqual([
      1, 1, 0.8, 1, 4, 20, 60, 100, 800,
    ]);
  });

  it("goes from value to value, is broken by a gap, and is a dot between two gaps", () => {
    const values = [0, 10, null, 5, null];
    const points = values.map((y, index) => ({ x: index / 4, y }));
    expect(linePath(points, 10)).toBe("M0.0000 1.0000L0.0000 1.0000L0.2500 0.0000M0.7500 0.5000L0.7500 0.5000");
  });
});
