/** What each keyword of JSON Schema lets through and what it stops, by the engine's own matcher. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatGrammar } from "../../../../server/model/grammar/schema-grammar.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../../support/model/grammar-matcher.ts";

let grammars: GrammarMatcher;
beforeAll(async () => {
  grammars = await createGrammarMatcher();
});
afterAll(() => grammars.dispose());

type Schema = Record<string, unknown>;

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
    {
      oneOf: [
        { type: "string", minLength: 2 },
        { type: "string", maxLength: 3 },
      ],
    },
    ["a", "abcd"],
    ["ab", "abc"],
  ],
  [
    "if, then and else",
    {
      ...flags,
      if: { properties: { a: { const: 1 } }, required: ["a"] },
      then: { required: ["b"] },
      else: { required: ["c"] },
    },
    [{ a: 1, b: 0 }, { a: 2, c: 0 }, { c: 0 }],
    [{ a: 1, c: 0 }, { a: 2, b: 0 }, {}],
  ],
  [
    "dependencies",
    { ...flags, dependencies: { a: ["b"] } },
    [{}, { b: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }, { a: 1, c: 1 }],
  ],
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
    {
      type: "object",
      properties: { a: {} },
      patternProperties: { "^x-": { type: "integer" } },
      additionalProperties: false,
    },
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
    "a dynamic reference",
    {
      $dynamicAnchor: "node",
      type: "object",
      properties: { a: { type: "integer" }, b: { $dynamicRef: "#node" } },
      additionalProperties: false,
    },
    [{}, { a: 1, b: { b: { a: 2 } } }],
    [{ b: { a: "x" } }, { b: 1 }],
  ],
  [
    "members of which many may come next, in their order",
    {
      type: "object",
      properties: Object.fromEntries("abcdefghijk".split("").map((name) => [name, { type: "boolean" }])),
      required: ["d", "j"],
      additionalProperties: { type: "integer" },
    },
    [
      { d: true, j: true },
      { a: true, d: true, e: true, h: true, j: false, k: true },
      { x: 1, c: true, y: 2, d: true, j: true, z: 3 },
    ],
    [{ d: true }, { j: true }, { d: true, k: true }, { a: true, d: 1, j: true }, { d: true, j: true, x: "y" }],
  ],
  [
    "exactly one of schemas that a member tells apart, which only one of them requires",
    {
      oneOf: [
        { properties: { kind: { pattern: "^a$", type: "string" }, n: { type: "integer" } }, required: ["kind", "n"] },
        { allOf: [{ $ref: "#/$defs/b" }], properties: { n: { type: "string" } } },
        { type: "object", properties: { m: {} }, required: ["m"], additionalProperties: false },
      ],
      $defs: { b: { properties: { kind: { enum: ["b", "c"] } }, required: ["kind", "n"] } },
    },
    [{ kind: "a", n: 1 }, { n: "x", kind: "c" }, { m: 1 }],
    [
      { kind: "a", n: "x" },
      { kind: "b", n: 1 },
      { m: 1, kind: "a" },
    ],
  ],
  [
    "no text where two of the schemas say nothing of texts",
    {
      type: ["object", "string"],
      oneOf: ["a", "b"].map((kind) => ({ properties: { kind: { const: kind } }, required: ["kind"] })),
    },
    [{ kind: "a" }, { kind: "b" }],
    ["a", { kind: "c" }],
  ],
  [
    "several kinds of items, of which one may be two",
    {
      type: "array",
      items: { type: "integer" },
      allOf: [{ contains: { multipleOf: 2 } }, { contains: { multipleOf: 3 }, minContains: 2 }],
      maxItems: 3,
    },
    [
      [6, 3],
      [3, 2, 9],
      [6, 6],
    ],
    [[2, 3], [3, 9], [6], [2, 4, 3], [3, 9, 2, 2]],
  ],
  [
    "listed values that must not be what only they can be told from",
    { enum: [{ ab: 1 }, { cd: 1 }], not: { patternProperties: { b: { type: "string" } } } },
    [{ ab: 1 }],
    [{ cd: 1 }],
  ],
  [
    "items of old drafts",
    { type: "array", items: [{ type: "string" }], additionalItems: { type: "integer" } },
    [["a"], ["a", 1, 2]],
    [[1], ["a", "b"]],
  ],
  [
    "items that must be among others",
    { type: "array", items: { type: "integer" }, contains: { const: 5 } },
    [[5], [1, 5, 2]],
    [[], [1]],
  ],
  [
    "how many may be among others",
    { type: "array", items: { type: "integer" }, contains: { const: 5 }, minContains: 2, maxContains: 2 },
    [[5, 1, 5]],
    [[5], [5, 5, 5]],
  ],
  [
    "another number of some than these",
    {
      type: "array",
      items: { type: "integer" },
      not: { contains: { const: 5 }, minContains: 2, maxContains: 3 },
    },
    [[], [5, 1], [5, 1, 5, 5, 5]],
    [
      [5, 5],
      [5, 1, 5, 5],
    ],
  ],
  [
    "values at most once",
    { type: "array", items: { enum: ["a", "b", "c"] }, uniqueItems: true },
    [[], ["c", "a"]],
    [
      ["a", "a"],
      ["a", "b", "a"],
    ],
  ],
  [
    "names of schemas",
    {
      $id: "https://example.org/root",
      $ref: "item",
      $defs: { item: { $id: "item", $ref: "#/$defs/n", $defs: { n: { type: "integer" } } } },
    },
    [1],
    ["a"],
  ],
];

it.each(combinations)("a grammar keeps to %s", (_what, schema, good, bad) => {
  const matches = grammars.matcher(formatGrammar(schema));
  for (const value of good) expect(matches(JSON.stringify(value)), JSON.stringify(value)).toBe(true);
  for (const value of bad) expect(matches(JSON.stringify(value)), JSON.stringify(value)).toBe(false);
});
