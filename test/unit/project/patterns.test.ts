import { describe, expect, it } from "vitest";
import { isPlainlyLinear, patternProblem, patternsIn } from "../../../build/checks/patterns.ts";

const problemOf = ({ source, flags }: RegExp) => patternProblem({ source, flags, place: "" });

describe("the check of patterns", () => {
  it("finds those of a file, with their lines", () => {
    const text =
      'const a = "/x+$/"; // /y+$/\nconst b = text.replace(/z\\/+$/gi, "");\nconst c = new RegExp("w+$", "u");\n';
    expect(patternsIn("a.ts", text)).toEqual([
      { source: "z\\/+$", flags: "gi", place: "a.ts:2" },
      { source: "w+$", flags: "u", place: "a.ts:3" },
    ]);
  });

  it("finds those that are put together from a file's own texts, and no others", () => {
    const text = [
      "const one = String.raw`a\\.+`;",
      'const both = `${one}|"b"`;',
      "const c = new RegExp(`^(?:${both})$`, 'g');",
      "const d = (given: string) => new RegExp(`${given}+$`);",
    ].join("\n");
    expect(patternsIn("a.ts", text)).toEqual([{ source: String.raw`^(?:a\.+|"b")$`, flags: "g", place: "a.ts:3" }]);
  });

  it.each([/x+$/, /\s*x\s*$/, /^(a+)+$/, /^a*a*b/, /^x|y+z/, /(a*)b/, /<a>.*?<\/a>/s, /A[^b]*c/i, /\s[^ ]*y/])(
    "refuses %s",
    (one) => {
      expect(problemOf(one)).toMatch(/polynomial|exponential/);
    },
  );

  it.each([/^\s*x\s*$/, /^(?:a|b)+$/, /x+/g, /[^a-z]+/gi, /"[^"]*"/, /<[^<>]*>/, /^a+b/, /a{1,9}b/, /[ab]*c/y])(
    "takes %s",
    (one) => {
      expect(problemOf(one)).toBeUndefined();
    },
  );

  it("takes none unproven that has a repetition in a repetition, or two", () => {
    for (const one of [/^(?:a{2}){3,}b/, /^(a+)+$/, /^a+b+$/, /^a|b+c/, /x*$/, /[a-z*]x*y/, /a\w+b/])
      expect(isPlainlyLinear(one)).toBe(false);
  });
});
