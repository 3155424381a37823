import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatGrammar } from "../../../server/model/grammar/schema-grammar.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../support/model/grammar-matcher.ts";

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

const flags = { type: "object", properties: { a: {}, b: {}, c: {} } };

/** Schema, values that its grammar generates, values that it must never generate. */
const combinations: readonly (readonly [what: string, schema: Schema, good: unknown[], bad: unknown[]])[] = [
  ["what stands beside an enum", { enum: ["no", "maybe"], maxLength: 2 }, ["no"], ["maybe"]],
  ["what stands beside a constant", { const: 5, minimum: 3 }, [5], [3]],
  ["not, of a type", { not: { type: ["string", "object"] } }, [1, null, []], ["a", {}]],
  ["not, of a pattern", { type: "string", not: { pattern: "^a" }, maxLength: 2 }, ["", "b", "ba"], ["a", "ab"]],
  ["not, of a constant", { type: "integer", not: { enum: [1, 2] } }, [0, 3, 12], [1, 2]],
  ["not, of members together", { ...flags, not: { required: ["a", "b"] } }, [{}, { a: 1 }, { b: 1 }], [{ a: 1, b: 1 }]],
  [
    "oneOf, whose schemas overlap",
    { oneOf: [{ type: "string", minLength: 2 }, { type: "string", maxLength: 3 }] },
    ["a", "abcd"],
    ["ab", "abc"],
  ],
  [
    "if, then and else",
    { ...flags, if: { properties: { a: { const: 1 } }, required: ["a"] }, then: { required: ["b"] }, else: { required: ["c"] } },
    [{ a: 1, b: 0 }, { a: 2, c: 0 }, { c: 0 }],
    [{ a: 1, c: 0 }, { a: 2, b: 0 }, {}],
  ],
  ["dependencies", { ...flags, dependencies: { a: ["b"] } }, [{}, { b: 1 }, { a: 1, b: 1 }], [{ a: 1 }, { a: 1, c: 1 }]],
  [
    "schemas that others depend on",
    { ...flags, dependentSchemas: { a: { properties: { b: { type: "string" } } } } },
    [{ a: 1, b: "x" }, { b: 1 }],
    [{ a: 1, b: 1 }],
  ],
  ["the least number of members", { ...flags, minProperties: 2 }, [{ a: 1, c: 1 }], [{}, { b: 1 }]],
  ["the largest number of members", { ...flags, maxProperties: 1 }, [{}, { b: 1 }], [{ a: 1, b: 1 }]],
  [
    "patterns of names",
    { type: "object", properties: { a: {} }, patternProperties: { "^x-": { type: "integer" } }, additionalProperties: false },
    [{}, { "x-a": 1, a: "b" }, { a: "b", "x-": 2 }],
    [{ "x-a": "b" }, { y: 1 }],
  ],
  [
    "undeclared members where they are written out",
    { type: "object", properties: { a: { type: "integer" } }, additionalProperties: { type: "string" } },
    [{ a: 1, b: "x" }, { b: "x", a: 1 }, { ab: "x" }],
    [{ a: "x" }, { b: 1 }],
  ],
  [
    "the names of members, declared ones included",
    { ...flags, propertyNames: { enum: ["a", "d"] }, additionalProperties: { type: "integer" } },
    [{ a: "x" }, { d: 1 }],
    [{ b: 1 }, { d: "x" }],
  ],
  [
    "additionalProperties of one part where another names more",
    { allOf: [{ ...flags, additionalProperties: false }, { properties: { d: {} } }] },
    [{}, { a: 1 }],
    [{ d: 1 }],
  ],
  [
    "unevaluated members",
    { ...flags, allOf: [{ properties: { d: {} } }], unevaluatedProperties: false },
    [{ a: 1, d: 1 }],
    [{ e: 1 }],
  ],
  [
    "items of old drafts",
    { type: "array", items: [{ type: "string" }], additionalItems: { type: "integer" } },
    [["a"], ["a", 1, 2]],
    [[1], ["a", "b"]],
  ],
  ["items that must be among others", { type: "array", items: { type: "integer" }, contains: { const: 5 } }, [[5], [1, 5, 2]], [[], [1]]],
  [
    "how many may be among others",
    { type: "array", items: { type: "integer" }, contains: { const: 5 }, minContains: 2, maxContains: 2 },
    [[5, 1, 5]],
    [[5], [5, 5, 5]],
  ],
  ["values at most once", { type: "array", items: { enum: ["a", "b", "c"] }, uniqueItems: true }, [[], ["c", "a"]], [["a", "a"], ["a", "b", "a"]]],
  ["multiples", { type: "integer", multipleOf: 7, minimum: 10 }, [14, 700], [7, 15]],
  ["multiples behind the point", { type: "number", multipleOf: 0.25 }, [0.5, -1.75, 3], [0.3, 1.1]],
  ["bounds behind the point", { type: "number", minimum: -1.5, exclusiveMaximum: 2.25 }, [-1.5, 0, 2.2499], [-1.51, 2.25, 3]],
  ["a length beside a pattern", { type: "string", pattern: "^[a-z]+-[a-z]+$", maxLength: 5 }, ["a-b", "ab-cd"], ["abc-de", "-"]],
  ["long lengths", { type: "string", minLength: 3000, maxLength: 5500 }, ["x".repeat(3000), "x".repeat(5500)], ["x".repeat(2999), "x".repeat(5501)]],
  ["looking ahead", { type: "string", pattern: "^(?=.*[A-Z])(?!.*\\d).{2,3}$" }, ["Ab", "abC"], ["ab", "A1", "A"]],
  ["white space of any kind", { type: "string", pattern: "^\\S[^\\s].$" }, ["abc", "ab "], ["a\u00a0c", "\ufeffbc", "ab\u2028", "ab\n"]],
  ["days of every month", { type: "string", format: "date" }, ["2024-02-29", "2026-12-31"], ["2026-02-29", "2026-04-31", "2100-02-29"]],
  ["offsets", { type: "string", format: "date-time" }, ["2026-01-31T23:59:59.5+05:30"], ["2026-01-31T23:59:59", "2026-01-31T23:59:59+25:00"]],
  ["a format beside a pattern", { type: "string", format: "date", pattern: "^2026-" }, ["2026-01-01"], ["2025-01-01", "2026-x"]],
  ["addresses", { type: "string", format: "ipv6" }, ["::1", "2001:db8::8a2e:370:7334"], ["1:2:3", "12345::", ":::"]],
  [
    "names of schemas",
    { $id: "https://example.org/root", $ref: "item", $defs: { item: { $id: "item", $ref: "#/$defs/n", $defs: { n: { type: "integer" } } } } },
    [1],
    ["a"],
  ],
];

describe("a schema's grammar", () => {
  it.each(combinations)("keeps to %s", (_what, schema, good, bad) => {
    const matches = matcher(schema);
    for (const value of good) expect(matches(JSON.stringify(value)), JSON.stringify(value)).toBe(true);
    for (const value of bad) expect(matches(JSON.stringify(value)), JSON.stringify(value)).toBe(false);
  });

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

  it.each<[keyword: string, schema: Schema]>([
    ["not", { not: { patternProperties: { "^a": false } } }],
    ["uniqueItems", { type: "array", uniqueItems: true }],
    ["contains", { type: "array", contains: { const: 1 }, allOf: [{ contains: { const: 2 } }] }],
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
