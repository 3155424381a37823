import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeJson } from "../../../server/http/formats/json-writer.ts";

const strict = { indent: 0, relaxed: false };

describe("writeJson", () => {
  it("leaves out members that are null, at any depth, and keeps null items of arrays", () => {
    expect(writeJson({ a: null, b: { c: null, d: 1 }, e: [null, { f: null }] }, strict)).toBe(
      '{"b":{"d":1},"e":[null,{}]}',
    );
  });

  it("writes members that are null where they are to be kept", () => {
    expect(writeJson({ a: null, b: [null] }, { ...strict, keepsNulls: true })).toBe('{"a":null,"b":[null]}');
  });

  it("keeps a string that only contains the word null", () => {
    expect(writeJson({ a: "null", b: null }, strict)).toBe('{"a":"null"}');
  });

  it("escapes non-ASCII characters, and writes them as they are in relaxed mode", () => {
    expect(writeJson({ name: "图🔥" }, strict)).toBe('{"name":"\\u56fe\\ud83d\\udd25"}');
    expect(writeJson({ name: "图🔥" }, { indent: 0, relaxed: true })).toBe('{"name":"图🔥"}');
  });

  it("indents by the number of spaces asked for", () => {
    expect(writeJson({ a: 1 }, { indent: 2, relaxed: false })).toBe('{\n  "a": 1\n}');
  });

  it("gives back any string, in ASCII only unless relaxed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, relaxed) => {
        const written = writeJson({ text }, { indent: 0, relaxed });
        expect(JSON.parse(written)).toEqual({ text });
        if (!relaxed) expect(written).toMatch(/^[\u0020-\u007f]*$/);
      }),
    );
  });
});
