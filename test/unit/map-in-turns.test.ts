import { describe, expect, it } from "vitest";
import { createSchemaCompiler } from "../../server/app/collections/schema/compile-schema.ts";
import { inEnglish } from "../../server/contract/messages/in-english.ts";
import { mapInTurns } from "../../server/foreign/map-in-turns.ts";
import { leavingLoopFree } from "../support/busy-loop.ts";

/** Works for so long; `seen` is called first. */
function busy(ms: number, seen?: () => void): void {
  seen?.();
  for (const ends = performance.now() + ms; performance.now() < ends;);
}

describe("work on many values", () => {
  it("lets others run between its turns", async () => {
    const order: string[] = [];
    setImmediate(() => order.push("other"));
    await mapInTurns([1, 2, 3, 4], (value) => {
      order.push(String(value));
      busy(30);
    });
    expect(order.indexOf("other")).toBeLessThan(order.indexOf("4"));
  });

  it("ends when it is no longer asked for, with what was thrown, and at once without values", async () => {
    const left = new AbortController();
    const seen: number[] = [];
    const work = (value: number) => {
      seen.push(value);
      busy(30, () => left.abort());
    };
    await expect(mapInTurns([1, 2, 3, 4], work, left.signal)).rejects.toThrow(/abort/);
    expect(seen).not.toContain(4);
    const failing = () => {
      throw new Error("own");
    };
    await expect(mapInTurns([1], failing)).rejects.toThrow("own");
    expect(await mapInTurns([], failing)).toEqual([]);
  });

  it("checks values by a schema as one by one, those that take too long, too", async () => {
    const check = createSchemaCompiler(250)({ properties: { a: { type: "string", pattern: "^(x+x+)+y$" } } });
    const firstProblem = (value: unknown) => inEnglish(check(value)[0]?.message ?? "");
    const values = [{ a: "xxy" }, { a: "x".repeat(60) }, { a: 1 }, {}, { a: "xxy" }];
    const checked = await mapInTurns(values, (value) => firstProblem(value));
    expect(checked).toEqual(values.map(firstProblem));
    expect(checked[1]).toContain("cannot be checked within 250 ms");
  });

  it("costs little for each of many values", async () => {
    const check = createSchemaCompiler(5_000)({ properties: { a: { type: "integer" } } });
    const values = Array.from({ length: 50_000 }, (_, a) => ({ a }));
    const checked = await leavingLoopFree(() => mapInTurns(values, (value) => check(value).length));
    expect(checked.every((problems) => problems === 0)).toBe(true);
  });
});
