import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatGrammar } from "../../../../server/model/grammar/schema-grammar.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../../support/model/grammar-matcher.ts";

let grammars: GrammarMatcher;
beforeAll(async () => {
  grammars = await createGrammarMatcher();
});
afterAll(() => grammars.dispose());

type Schema = Record<string, unknown>;

/** What the engine's own matcher says of a text. */
const matcher = (format: "json" | Schema) => grammars.matcher(formatGrammar(format));

const object = (properties: Schema, required = Object.keys(properties)) => ({ type: "object", properties, required });

/** Schema, texts that its grammar generates, texts that it must never generate. */
const schemas: readonly (readonly [what: string, schema: "json" | Schema, good: unknown[], bad: string[]])[] = [
  ["json", "json", [{}, { a: [1, "x", null, true, { b: -1.5e3 }] }], ["[]", "1", '"a"', "{", "{}}", '{"a":01}', ""]],
  ["any value", {}, [1, "x", [], {}, null], ["x", ""]],
  ["types", { type: ["string", "null"] }, ["a", null], ["1", "{}"]],
  ["a string's length", { type: "string", minLength: 2, maxLength: 3 }, ["ab", "äöü"], ['"a"', '"abcd"']],
  ["escapes", { type: "string" }, ['a"b\\c\n'], ['"a"b"', '"\n"']],
  [
    "a pattern",
    { type: "string", pattern: "^[A-Z]{2}-\\d+(x|y)?$" },
    ["AB-12", "AB-1x"],
    ['"ab-1"', '"AB-"', '"AB-1z"'],
  ],
  ["a pattern without anchors", { type: "string", pattern: "b+" }, ["abba", "b"], ['"aa"']],
  [
    "a pattern with classes that leave out control characters, or hold quotes",
    { type: "string", pattern: '^[^\\x00-\\x1f-]+["\\\\]\\u{1F600}*$' },
    ['ab"', "x\\", 'y"😀😀'],
    ['"a-\\""', '"\\""', '"ab"'],
  ],
  ["an object of any members", { type: "object" }, [{}, { a: 1 }], ["[]"]],
  ["an object that declares no members", object({}), [{}], ['{"a":1}']],
  ["a date", { type: "string", format: "date" }, ["2026-02-28"], ['"2026-13-01"', '"today"']],
  ["a moment", { type: "string", format: "date-time" }, ["2026-02-28T23:59:59Z"], ['"2026-02-28"']],
  ["an enum", { enum: ["a", 1, null] }, ["a", 1, null], ['"b"', "2"]],
  ["an enum of one type", { type: "string", enum: ["a", 1] }, ["a"], ["1"]],
  ["a constant", { const: "x" }, ["x"], ['"y"', "{}"]],
  ["an integer", { type: "integer" }, [0, -12], ["1.5", "01", "-"]],
  ["whole multiples", { type: "number", multipleOf: 0.01, minimum: 0 }, [1.25, 3], ["1.255", "-1"]],
  ["open bounds", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, [0.5, 0.001], ["0", "1", "1.0", "0.0"]],
  ["bounds of a number", { type: "number", minimum: -1, maximum: 1 }, [0.5, -1, 1, -0.25], ["1.1", "-1.1", "2"]],
  ["items", { type: "array", items: { type: "integer" }, minItems: 1, maxItems: 2 }, [[1], [1, 2]], ["[]", "[1,2,3]"]],
  ["a tuple", { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] }, [["a", 1]], ["[1,1]"]],
  [
    "members",
    object({ a: { type: "string" }, b: { type: "integer" } }),
    [{ a: "x", b: 1 }],
    ['{"a":"x"}', "{}", '{"a":"x","b":1,"c":2}'],
  ],
  [
    "optional members",
    object({ a: { type: "integer" }, b: {}, c: {} }, ["b"]),
    [{ b: 1 }, { a: 1, b: 1 }, { a: 1, b: 1, c: 1 }, { b: 1, c: 1 }],
    ["{}", '{"a":1}', '{"a":1,}'],
  ],
  [
    "no required member",
    object({ a: {}, b: {} }, []),
    [{}, { a: 1 }, { b: 1 }, { a: 1, b: 2 }],
    ['{"c":1}', '{,"b":1}'],
  ],
  ["a dictionary", { type: "object", additionalProperties: { type: "integer" } }, [{}, { x: 1, y: 2 }], ['{"x":"1"}']],
  [
    "keys of a dictionary",
    { type: "object", propertyNames: { pattern: "^[a-z]+$" }, additionalProperties: {} },
    [{ x: 1 }],
    ['{"X":1}'],
  ],
  ["an undeclared required member", { type: "object", required: ["a"] }, [{ a: 1 }], ["{}"]],
  ["anyOf", { anyOf: [{ type: "integer" }, object({ a: {} })] }, [1, { a: 1 }], ['"x"', "{}"]],
  [
    "oneOf by a constant",
    { oneOf: [object({ k: { const: "a" }, x: { type: "integer" } }), object({ k: { const: "b" } })] },
    [{ k: "a", x: 1 }, { k: "b" }],
    ['{"k":"a"}', '{"k":"c"}'],
  ],
  [
    "allOf",
    { allOf: [object({ a: { type: "integer" } }), object({ b: { type: "string" } })] },
    [{ a: 1, b: "x" }],
    ['{"a":1}'],
  ],
  [
    "references",
    { $defs: { n: { type: "integer" } }, type: "array", items: { $ref: "#/$defs/n" } },
    [[1, 2]],
    ['["a"]'],
  ],
  [
    "a tree",
    {
      $ref: "#/$defs/t",
      $defs: { t: object({ v: { type: "integer" }, kids: { type: "array", items: { $ref: "#/$defs/t" } } }, ["v"]) },
    },
    [{ v: 1, kids: [{ v: 2, kids: [] }] }],
    ['{"kids":[]}', '{"v":1,"kids":[1]}'],
  ],
];

describe("a schema's grammar", () => {
  it.each(schemas)("generates %s", (_what, schema, good, bad) => {
    const matches = matcher(schema);
    for (const value of good) {
      expect(matches(JSON.stringify(value)), JSON.stringify(value)).toBe(true);
      if (typeof value === "object" && value !== null) {
        const spaced = JSON.stringify(value, undefined, 2);
        expect(matches(spaced), spaced).toBe(true);
      }
    }
    for (const text of bad) expect(matches(String(text)), String(text)).toBe(false);
  });

  it("keeps integers between their bounds, whatever these are", () => {
    const bound = fc.integer({ min: -2000, max: 2000 });
    fc.assert(
      fc.property(bound, bound, fc.array(fc.integer({ min: -2500, max: 2500 }), { minLength: 20 }), (a, b, numbers) => {
        const [minimum, maximum] = [Math.min(a, b), Math.max(a, b)];
        const matches = matcher({ type: "integer", minimum, maximum });
        for (const number of [...numbers, minimum, maximum, minimum - 1, maximum + 1])
          expect(matches(String(number)), `${number} in ${minimum}..${maximum}`).toBe(
            number >= minimum && number <= maximum,
          );
      }),
      { numRuns: 60 },
    );
  });

  it("keeps the bounds that client libraries write for integers", () => {
    const matches = matcher({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 });
    for (const text of ["0", "-1", "42", "9007199254740991"]) expect(matches(text), text).toBe(true);
    for (const text of ["9007199254740992", "1.5"]) expect(matches(text), text).toBe(false);
  });

  it("takes null for a keyword that is not there, and as a value where values stand", () => {
    const absent = { title: null, required: null, enum: null, anyOf: null, $ref: null, pattern: null, if: null };
    const of = (nulls: Schema): Schema => ({
      type: "object",
      properties: {
        name: { type: "string", minLength: 2, ...nulls },
        required: { ...nulls, enum: [null, { items: null }, ["a", null]] },
        const: { ...nulls, const: null },
        pair: { type: "array", items: [{ type: "integer", ...nulls }], minItems: 1 },
        far: { $ref: "#/parts/far" },
      },
      parts: { far: { type: "boolean", ...nulls } },
      ...nulls,
      required: ["name"],
    });
    expect(formatGrammar(of(absent))).toBe(formatGrammar(of({})));
    for (const keyword of ["properties", "items", "additionalProperties", "minLength", "type", "allOf", "not"])
      expect(formatGrammar({ type: "object", [keyword]: null }), keyword).toBe(
        formatGrammar(keyword === "type" ? {} : { type: "object" }),
      );
  });

  it.each<[keyword: string, schema: Schema]>([
    ["not", { not: { patternProperties: { "^a": false } } }],
    ["uniqueItems", { type: "array", uniqueItems: true }],
    ["contains", { type: "array", allOf: [1, 2, 3, 4].map((one) => ({ contains: { const: one } })) }],
    ["minProperties", { type: "object", minProperties: 2 }],
    ["pattern", { type: "string", pattern: "(a)\\1" }],
    ["pattern", { type: "string", pattern: "\\bword" }],
    ["pattern", { type: "string", pattern: "(?<=a)b" }],
    ["$dynamicRef", { $dynamicRef: "#node" }],
    ["$ref", { $ref: "https://example.com/schema.json" }],
    ["$ref", { $ref: "#/$defs/none" }],
    ["type", { type: "text" }],
    ["false", object({ a: false })],
  ])("that cannot guarantee %s is refused by that name", (keyword, schema) => {
    expect(() => formatGrammar(schema)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(`keyword "${keyword}" at #`) }),
    );
  });
});
