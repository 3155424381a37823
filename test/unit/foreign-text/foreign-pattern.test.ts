import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createForeignPattern } from "../../../server/foreign/foreign-pattern.ts";
import { OutOfTimeError, withinDeadline } from "../../../server/foreign/within-deadline.ts";

describe("work within a deadline", () => {
  it("returns and throws what the work does", () => {
    expect(withinDeadline(1000, () => ({ a: 1 }))).toEqual({ a: 1 });
    const fault = new Error("own");
    expect(() =>
      withinDeadline(1000, () => {
        throw fault;
      }),
    ).toThrow(fault);
  });

  it("is broken off, inside other such work, too, and later work is done all the same", () => {
    const endless = () => {
      for (;;);
    };
    expect(() => withinDeadline(20, endless)).toThrow(OutOfTimeError);
    expect(
      withinDeadline(10_000, () => {
        expect(() => withinDeadline(20, endless)).toThrow(OutOfTimeError);
        return "outer";
      }),
    ).toBe("outer");
  });
});

describe("a foreign pattern", () => {
  it("that is too large to be tested is refused when it is made", () => {
    const source = "<a>".repeat(80_000) + "+";
    expect(() => new RegExp(source).test("")).toThrow("too large");
    expect(() => createForeignPattern(source)).toThrow("more than 2000 characters");
    expect(createForeignPattern("[ab]".repeat(500)).test("", 1_000)).toBe(false);
  });

  it.each([
    ["/(x+x+)+y$", `/${"x".repeat(36)}`],
    ["(a|a)*b", "a".repeat(60)],
    ["(a|aa)+$", `${"a".repeat(60)}!`],
    ["^(?:a?){30}a{30}b$", "a".repeat(30)],
    ["(.*)*b", "a".repeat(60)],
    ["a*a*a*a*a*a*b", "a".repeat(2000)],
    [`^${"(a|a)".repeat(40)}b`, "a".repeat(40)],
    ["(?=(a+)+$)b|(a+)+$", `${"a".repeat(60)}!`],
  ])("%s does not take longer than it may", (source, text) => {
    const pattern = createForeignPattern(source);
    // What is not broken off has been quick.
    try {
      expect(pattern.test(text, 30)).toBe(false);
    } catch (error) {
      expect(error).toBeInstanceOf(OutOfTimeError);
    }
  });

  it("matches what the expression does", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "/",
      ".",
      "a*",
      "b+",
      "[^/]*",
      "(a|b)",
      "(ab)*",
      "$",
      "^",
      "(?=a)",
      "b{1,2}",
    );
    const text = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 12 }).map((all) => all.join(""));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), text, (pieces, given) => {
        const source = pieces.join("");
        const pattern = createForeignPattern(source, "u");
        expect(pattern.test(given, 10_000)).toBe(new RegExp(source, "u").test(given));
        const texts = [given, "a"];
        expect(pattern.testAll(texts, 10_000)).toEqual(texts.map((one) => pattern.test(one, 10_000)));
        expect(pattern.find(texts, 10_000)).toBe(texts.find((one) => pattern.test(one, 10_000)));
      }),
      { numRuns: 300 },
    );
  });

  it("that is invalid is refused at once", () => {
    expect(() => createForeignPattern("(")).toThrow(SyntaxError);
  });
});
