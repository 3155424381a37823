/** What a collection's schema means, by classes that validators are known to get wrong. */
import { message } from "../../../server/contract/messages/message.ts";
import { describe, expect, it } from "vitest";
import { createSchemaCompiler } from "../../../server/app/collections/schema/compile-schema.ts";
import { describeSchema } from "../../../server/app/collections/schema/describe-schema.ts";
import { secretsOf } from "../../../server/json-schema/schema-secrets.ts";
import type { SchemaObject } from "../../../server/json-schema/json-schema.ts";

/** Longer than any check of these takes on a busy machine. */
const compile = createSchemaCompiler(5_000);
const json = (text: string) => JSON.parse(text) as SchemaObject;

const tree = {
  $id: "https://example.com/strict-tree",
  $dynamicAnchor: "node",
  $ref: "tree",
  unevaluatedProperties: false,
  $defs: {
    tree: {
      $id: "https://example.com/tree",
      $dynamicAnchor: "node",
      properties: { name: { type: "string" }, children: { type: "array", items: { $dynamicRef: "#node" } } },
    },
  },
};

/** A class: a schema, values that satisfy it, and values that do not. */
const classes: [what: string, schema: SchemaObject, right: unknown[], wrong: unknown[]][] = [
  [
    "a schema with an address of its own",
    {
      $id: "https://example.com/shop",
      properties: { a: { $ref: "price" }, b: { $ref: "https://example.com/price#/$defs/cents" } },
      $defs: { price: { $id: "price", type: "number", $defs: { cents: { type: "integer" } } } },
    },
    [{ a: 1.5, b: 2 }],
    [{ a: "1" }, { b: 1.5 }],
  ],
  [
    "an anchor",
    { properties: { a: { $ref: "#name" } }, $defs: { any: { $anchor: "name", minLength: 2 } } },
    [{ a: "ab" }],
    [{ a: "a" }],
  ],
  [
    "a dynamic reference, which leads to the schema around",
    tree,
    [{ children: [{ name: "x", children: [] }] }],
    [{ children: [{ nam: "x" }] }, { nam: 1 }],
  ],
  [
    "the schema of schemas",
    { properties: { a: { $ref: "https://json-schema.org/draft/2020-12/schema" } } },
    [{ a: { minLength: 1 } }],
    [{ a: { minLength: -1 } }],
  ],
  [
    "names that every object has",
    json('{"properties":{"toString":{"type":"string"},"__proto__":{"type":"number"}},"required":["constructor"]}'),
    [json('{"constructor":1,"__proto__":2}')],
    [{}, json('{"constructor":1,"__proto__":"2"}'), { constructor: 1, toString: 1 }],
  ],
  [
    "objects by value, whatever their members are called",
    { properties: { a: { const: { toString: 0, b: 1 } }, b: { enum: [{ valueOf: 1 }] } } },
    [{ a: { b: 1, toString: 0 }, b: { valueOf: 1 } }],
    [{ a: { toString: 1, b: 1 } }, { b: { valueOf: 2 } }],
  ],
  [
    "members that only an alternative that holds names",
    {
      anyOf: [
        { properties: { kind: { const: "a" }, a: {} }, required: ["kind"] },
        { properties: { kind: { const: "b" }, b: {} }, required: ["kind"] },
      ],
      unevaluatedProperties: false,
    },
    [{ kind: "a", a: 1 }],
    [{ kind: "a", b: 1 }],
  ],
  [
    "members that a condition or a dependency names",
    {
      if: { properties: { a: { const: 1 } }, required: ["a"] },
      then: { properties: { b: {} } },
      dependentSchemas: { b: { properties: { c: {} } } },
      unevaluatedProperties: { type: "string" },
    },
    [{ a: 1, b: 2, c: 3 }, { d: "x" }],
    [{ a: 2 }, { a: 1, d: 1 }, { a: 1, c: 3 }],
  ],
  [
    "items that only a schema beside speaks of",
    { properties: { a: { prefixItems: [true], contains: { type: "string" }, unevaluatedItems: { type: "null" } } } },
    [{ a: [1, "x", null, "y"] }],
    [{ a: [1, "x", 2] }, { a: [1, null] }],
  ],
  [
    "keywords that have nothing to say here",
    { properties: { a: { then: false, minContains: 3, additionalProperties: false } }, else: false },
    [{ a: "x" }, { a: [1] }, { a: {} }],
    [{ a: { b: 1 } }],
  ],
  [
    "characters as people count them",
    { properties: { a: { maxLength: 2, pattern: "^.$|^..$" } } },
    [{ a: "💩💩" }],
    [{ a: "💩💩💩" }],
  ],
  ["a list of no values", { properties: { a: { enum: [] } } }, [{}], [{ a: 1 }]],
  [
    "very many alternatives",
    { oneOf: Array.from({ length: 3_000 }, (_, at) => ({ const: { at } })) },
    [{ at: 2_999 }],
    [{}],
  ],
];

describe("the check by a user's schema knows", () => {
  it.each(classes)("%s", (_what, schema, right, wrong) => {
    const check = compile(schema);
    for (const value of right) expect([value, check(structuredClone(value))]).toEqual([value, []]);
    for (const value of wrong) expect([value, check(structuredClone(value)).length > 0]).toEqual([value, true]);
  });
});

describe("defaults of a user's schema", () => {
  const checked = (schema: SchemaObject, value: unknown) => ({ problems: compile(schema)(value), value });
  const inner = { type: "object", required: ["b"], properties: { b: { default: 2 } }, default: {} };

  it("are filled in at any depth, even for a member that is required", () => {
    const schema = {
      properties: { a: { $ref: "#/$defs/inner" }, c: { default: 3 }, list: { items: inner } },
      required: ["c"],
      allOf: [{ properties: { d: { default: null } } }],
      $defs: { inner },
    };
    expect(checked(schema, { a: {}, list: [{}] })).toEqual({
      problems: [],
      value: { a: { b: 2 }, c: 3, d: null, list: [{ b: 2 }] },
    });
  });

  it.each<[what: string, schema: SchemaObject, value: unknown, filled: unknown]>([
    ["additionalProperties", { additionalProperties: inner }, { k: {} }, { k: { b: 2 } }],
    [
      "patternProperties",
      { patternProperties: { "^k": inner }, additionalProperties: { properties: { c: { default: 3 } } } },
      { k: {}, other: {} },
      { k: { b: 2 }, other: { c: 3 } },
    ],
    [
      "dependentSchemas, where what they depend on is there",
      { properties: { a: { default: 1 } }, dependentSchemas: { a: inner, z: { properties: { c: { default: 3 } } } } },
      {},
      { a: 1, b: 2 },
    ],
    [
      "a dynamic reference, by the schema around",
      { ...tree, properties: { size: { default: 0 } } },
      { children: [{ size: 1, children: [{}] }] },
      { size: 0, children: [{ size: 1, children: [{ size: 0 }] }] },
    ],
  ])("are filled in below %s", (_what, schema, value, filled) => {
    expect(checked(schema, value)).toEqual({ problems: [], value: filled });
  });

  it("stay out where they are not valid themselves, or would make the item invalid", () => {
    const wrong = { properties: { a: { type: "integer", default: [] }, b: { default: 1 } } };
    expect(checked(wrong, {})).toEqual({ problems: [], value: { b: 1 } });
    expect(checked({ properties: { a: { default: 1 } }, maxProperties: 1 }, { b: 2 })).toEqual({
      problems: [],
      value: { b: 2 },
    });
  });
});

describe("a user's schema is refused, with the place,", () => {
  it.each<[what: string, schema: SchemaObject, path: string, message: RegExp]>([
    ["for another document", { $ref: "https://example.com/x.json" }, "$ref", /refers to another file/],
    [
      "for an anchor that is not there",
      { properties: { a: { $ref: "#b" } } },
      "properties/a/$ref",
      /refers to nothing/,
    ],
    ["for a dynamic reference without end", { $dynamicRef: "#b" }, "$dynamicRef", /refers to nothing/],
    ["for a misspelt keyword", { minLenght: 1 }, "minLenght", /not a JSON Schema keyword: write "minLength"/],
    ["for what is no schema", { properties: { a: { type: "strng" } } }, "properties/a/type", /must be one of/],
    [
      "for what it refers to",
      { $ref: "#/x-parts/a", "x-parts": { a: { pattern: "(" } } },
      "pattern",
      /Invalid regular/,
    ],
    ["for another standard's words", { $vocabulary: {} }, "$vocabulary", /is not supported here/],
  ])("%s", (_what, schema, path, message) => {
    expect(() => compile(schema)).toThrow(
      expect.objectContaining({ path: path.split("/"), message: expect.stringMatching(message) as string }) as Error,
    );
  });
});

describe("a schema of which several branches lead back to it", () => {
  const operation = (sign: string) => ({
    type: "object",
    properties: { sign: { const: sign }, left: { $ref: "#" }, right: { $ref: "#" } },
    required: ["sign", "left"],
  });
  const expression = { oneOf: [...["+", "-", "*", "/"].map(operation), { type: "number" }] };
  const problemsOf = compile(expression);
  const nested = (leaf: unknown) =>
    Array.from({ length: 60 }).reduce<unknown>((left) => ({ sign: "/", left, right: { sign: "+", left: 1 } }), leaf);

  it("judges values of any depth", () => {
    expect(problemsOf(nested(1))).toEqual([]);
    expect(problemsOf(nested("1"))).toContainEqual({ path: [], message: message("is.noForm") });
  });
  it("names no more problems than anybody reads", () => {
    expect(problemsOf(nested("1")).length).toBeLessThan(1000);
  });
});

describe("a schema with addresses and anchors", () => {
  const schema = {
    properties: { a: { $ref: "#secret" }, b: { $ref: "parts/b" }, c: { $dynamicRef: "#pin" } },
    $defs: {
      secret: { $anchor: "secret", writeOnly: true },
      b: { $id: "parts/b", type: "string" },
      pin: { $dynamicAnchor: "pin", writeOnly: true },
    },
  };
  it("is described, and its secrets are hidden", () => {
    expect(describeSchema(schema, { answered: false })["properties"]).toEqual({
      a: { writeOnly: true },
      b: { type: "string" },
      c: {},
    });
    expect(secretsOf(schema)?.hide({ a: 1, b: 2, c: 3 })).toEqual({ b: 2 });
  });
});
