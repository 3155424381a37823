import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileProblem, readJsonSource } from "../../../server/app/collections/json-source.ts";

const faultOf = (text: string) => {
  try {
    readJsonSource(text);
  } catch (error) {
    if (error instanceof FileProblem) return { ...error.place, message: error.message };
  }
  throw new Error(`taken: ${text}`);
};

describe("JSON of a file", () => {
  it("reads whatever JSON.stringify writes, indented or not, as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        if (text.includes("__proto__")) return;
        expect(readJsonSource(text).value).toEqual(JSON.parse(text));
      }),
    );
  });

  it("reads a string of any length", () => {
    const long = "a".repeat(30_000_000);
    expect(readJsonSource(JSON.stringify(long)).value === long).toBe(true);
  });

  it("takes no text that JSON.parse refuses", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b',
      "1",
      "01",
      "-",
      "1e5",
      "tru",
      "null",
      " ",
      "\n",
      "\\",
      ".5",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join("");
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          expect(() => readJsonSource(text)).toThrow(FileProblem);
          return;
        }
        // The same, but for a name that is given twice.
        if ((text.match(/"a":/g) ?? []).length < 2) expect(readJsonSource(text).value).toEqual(parsed);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["", 1, 1, "the end of the file"],
    ['{"a": 1,}', 1, 9, "a field name"],
    ['{\n  "a": [1,\n  2\n}', 4, 1, '"]" is expected'],
    ['{\n\t"a": tru\n}', 2, 7, "a value is expected"],
    ['{"a": "x\ny"}', 1, 7, "has no end"],
    ['{"a": 1}\n}', 2, 1, "the end is expected"],
    ["{'a': 1}", 1, 2, "in double quotes"],
    ['{"a": 1,\n "a": 2}', 2, 2, '"a" appears twice'],
    ['{"__proto__": 1}', 1, 2, "not allowed as a name"],
    ["[".repeat(300), 1, 130, "nested deeper"],
  ])("gives the place of the syntax error in %j", (text, line, column, message) => {
    expect(faultOf(text)).toEqual({ line, column, message: expect.stringContaining(message) as string });
  });

  it("finds members by their path, and the last step that is there", () => {
    const source = readJsonSource('\ufeff{\n "p": {\n  "q": [1,\n   {"r": 2}]\n }\n}');
    expect(source.placeOf(["p", "q", 1, "r"])).toEqual({ line: 4, column: 5 });
    expect(source.placeOf(["p", "q", 7])).toEqual({ line: 3, column: 3 });
    expect(source.placeOf([])).toEqual({ line: 1, column: 1 });
  });
});
