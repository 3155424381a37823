import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { idsOf } from "./covered-rules.ts";
import { rules } from "./rules.ts";

/** The titles of all tests of this folder, as they are written. */
const titles = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".test.ts") && name !== "coverage.test.ts")
  .flatMap((name) => {
    const source = readFileSync(join(import.meta.dirname, name), "utf8");
    const tests = [...source.matchAll(/^\s*it(?:\.each\([^]*?\))?\(\s*"((?:[^"\\]|\\.)*)"/gm)].map(
      ([, title = ""]) => title,
    );
    const written = source.match(/^\s*it[.(]/gm)?.length ?? 0;
    expect(tests, `titles of ${name}`).toHaveLength(written);
    return tests;
  });

describe("the conformance suite", () => {
  it("has a test for every rule", () => {
    const covered = new Set(titles.flatMap(idsOf));
    expect(rules.filter(({ id }) => !covered.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it("names only rules that exist, at least one in each title", () => {
    const known = new Set(rules.map(({ id }) => id));
    expect(titles.filter((title) => idsOf(title).length === 0)).toEqual([]);
    expect(titles.flatMap(idsOf).filter((id) => !known.has(id))).toEqual([]);
  });

  it("gives every rule an id of its own", () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });
});
