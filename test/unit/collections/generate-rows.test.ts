import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SchemaObject } from "../../../server/json-schema/json-schema.ts";
import { createSchemaCompiler } from "../../../server/app/collections/schema/compile-schema.ts";
import { generateRows } from "../../../server/app/collections/rows/generate-rows.ts";
import { textOfPattern } from "../../../server/app/collections/rows/text-of-pattern.ts";
import { leavingLoopFree } from "../../support/busy-loop.ts";

const compileSchema = createSchemaCompiler(250);
const rowsOf = (schema: SchemaObject, count = 5, seed = 1) =>
  generateRows(schema, compileSchema(schema), { count, seed, unique: [], existing: [], privateField: undefined });

/** Another validator than the one that chose the rows. */
function validator(schema: SchemaObject) {
  const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 9 });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

const formats = [
  "date-time",
  "date",
  "time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uri-template",
  "uuid",
  "json-pointer",
  "relative-json-pointer",
  "regex",
  "byte",
];
const patterns = [
  "^[A-Z]{3}-\\d{4}$",
  "^(red|green|blue)+$",
  "^\\w+@\\w{2,5}\\.(com|org)$",
  "^#[0-9a-f]{6}$",
  "x",
  "^(?:[a-z]-)?\\d+$",
  "^\\p{Lu}\\p{L}*$",
  "^[^0-9\\s]{4,9}$",
];
const names = ["person.fullName", "location.city", "commerce.price", "date.past", "number.int", "string.uuid"];

const text = fc.oneof(
  fc
    .record({ min: fc.nat(12), more: fc.nat(20) })
    .map(({ min, more }) => ({ type: "string", minLength: min, maxLength: min + more })),
  fc.constantFrom(...formats).map((format) => ({ type: "string", format })),
  fc.constantFrom(...patterns).map((pattern) => ({ type: "string", pattern })),
  fc.constantFrom(...names).map((name) => ({ type: "string", "x-faker": name, maxLength: 30 })),
);
const number = fc.oneof(
  fc
    .record({ min: fc.integer({ min: -1000, max: 1000 }), more: fc.nat(500) })
    .map(({ min, more }) => ({ type: "integer", minimum: min, maximum: min + more })),
  fc
    .record({ min: fc.integer({ min: -50, max: 50 }), step: fc.constantFrom(0.01, 0.25, 0.1, 3) })
    .map(({ min, step }) => ({ type: "number", exclusiveMinimum: min, maximum: min + 10, multipleOf: step })),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((max) => ({ type: "number", maximum: max })),
  fc
    .record({ at: fc.integer({ min: -5, max: 5 }) })
    .map(({ at }) => ({ type: ["integer", "null"], exclusiveMinimum: at, exclusiveMaximum: at + 2 })),
);
const scalar = fc.oneof(
  text,
  number,
  fc.constant({ type: "boolean" }),
  fc
    .uniqueArray(fc.oneof(fc.integer(), fc.string(), fc.constant(null)), { minLength: 1, maxLength: 4 })
    .map((values) => ({ enum: values })),
  // Neither validator can compare objects that have members of these names.
  fc
    .jsonValue({ maxDepth: 1 })
    .filter((value) => !/"(?:toString|valueOf)":/.test(JSON.stringify(value)))
    .map((value) => ({ const: value })),
);

const { item } = fc.letrec<{ item: SchemaObject; object: SchemaObject }>((tie) => ({
  item: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    tie("object"),
    fc
      .record({ items: tie("item"), min: fc.nat(2), more: fc.nat(2) })
      .map(({ items, min, more }) => ({ type: "array", items, minItems: min, maxItems: min + more })),
    fc
      .tuple(tie("item"), tie("item"))
      .map((prefixItems) => ({ type: "array", prefixItems, items: false, minItems: 2 })),
    fc.tuple(tie("item"), tie("item")).map((anyOf) => ({ anyOf })),
    text.map((contains) => ({ type: "array", contains, minContains: 2, maxItems: 4 })),
    fc.nat(5).map((min) => ({
      type: "array",
      items: { type: "integer", minimum: 0, maximum: 50 },
      uniqueItems: true,
      minItems: min,
    })),
  ),
  object: fc
    .record({
      properties: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie("item"), { maxKeys: 4 }),
      all: fc.boolean(),
      closed: fc.boolean(),
    })
    .map(({ properties, all, closed }) => ({
      type: "object",
      properties,
      ...(all && { required: Object.keys(properties) }),
      ...(closed && { additionalProperties: false }),
    })),
}));

describe("items that are made up", () => {
  it("are valid by the schema that they are made from, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(item, fc.nat(1000), async (field, seed) => {
        const schema = {
          type: "object",
          properties: { field, other: { $ref: "#/$defs/field" } },
          required: ["field"],
          $defs: { field },
        };
        const validate = validator(schema);
        const rows = await rowsOf(schema, 3, seed);
        expect(rows).toHaveLength(3);
        for (const row of rows) expect([validate(row), validate.errors, row]).toEqual([true, null, row]);
      }),
      { numRuns: 200 },
    );
  });

  it("are the same for the same seed, on any day", async () => {
    const schema = {
      type: "object",
      properties: { at: { type: "string", "x-faker": "date.recent" }, id: { type: "string", format: "uuid" } },
    };
    const [one, same, other] = [await rowsOf(schema, 4, 5), await rowsOf(schema, 4, 5), await rowsOf(schema, 4, 6)];
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
    expect(one[0]?.["at"]).toMatch(/^2025-12-31T/);
  });

  it("stay finite where a schema holds itself, and merge what several schemas ask", async () => {
    const schema = {
      type: "object",
      properties: {
        tree: { $ref: "#/$defs/tree" },
        both: {
          allOf: [
            { type: "integer", minimum: 5 },
            { minimum: 7, maximum: 8 },
          ],
        },
      },
      required: ["tree", "both"],
      $defs: {
        tree: {
          type: "object",
          required: ["value"],
          properties: { value: { type: "integer" }, children: { type: "array", items: { $ref: "#/$defs/tree" } } },
        },
      },
    };
    for (const { both } of await rowsOf(schema, 10)) expect([7, 8]).toContain(both);
  });

  it("are given up with a reason where no item can be valid or unique", async () => {
    const impossible = { type: "object", properties: { a: { type: "string", pattern: "^(?=x)y" } }, required: ["a"] };
    await expect(rowsOf(impossible, 1)).rejects.toThrow(/no valid item could be generated \(a must match the pattern/);
    const few = { type: "object", properties: { a: { enum: [1, 2] } }, required: ["a"] };
    const wanted = { count: 3, seed: 1, unique: ["a"], existing: [], privateField: undefined };
    await expect(generateRows(few, compileSchema(few), wanted)).rejects.toThrow(/a must be unique/);
  });
});

describe("text made from a pattern", () => {
  it.each([
    ...patterns,
    "^a{2,}$",
    "^[\\w.-]+$",
    "^\\u0041\\x42$",
    "^(a|b(c|d)){3}$",
    "^[\\]\\-a]+$",
    "^(?<year>\\d{4})$",
  ])("matches %s", (pattern) => {
    let state = 7;
    const random = (min: number, max: number) =>
      min + ((state = (state * 1103515245 + 12345) % 2147483648) % (max - min + 1));
    for (let count = 0; count < 50; count++) expect(textOfPattern(pattern, random)).toMatch(new RegExp(pattern, "u"));
  });
  it.each(["(?=a)", "(a)\\1", "\\p{Script=Han}"])("is not tried for %s", (pattern) => {
    expect(textOfPattern(pattern, (min) => min)).toBeUndefined();
  });
});

describe("items that would be too large", () => {
  const asked = (a: SchemaObject) => rowsOf({ type: "object", properties: { a }, required: ["a"] });
  it.each<[SchemaObject, RegExp]>([
    [{ type: "string", minLength: 1_000_000 }, /requires 1000000 characters/],
    [{ type: "array", minItems: 1e9 }, /more than 10000 values/],
    [{ type: "object", minProperties: 1e9 }, /more than 10000 values/],
    [{ type: "array", minItems: 300, items: { type: "array", minItems: 300 } }, /more than 10000 values/],
    [{ type: "array", minItems: 3000, uniqueItems: true, items: { enum: [1] } }, /more than 10000 values/],
    [{ type: "string", pattern: "^a{100000000}$" }, /no valid item/],
    [{ type: "string", pattern: "^((((a{99}){99}){99}){99}){99}$" }, /no valid item/],
  ])("%j are not begun", async (a, why) => {
    await leavingLoopFree(() => expect(asked(a)).rejects.toThrow(why));
  });

  it("are not begun where a schema refers to itself, or to others, many times over", async () => {
    const parts = (name: string) => ({ allOf: Array.from({ length: 4 }, () => ({ $ref: `#/$defs/${name}` })) });
    const levels = Array.from({ length: 12 }, (_, at) => [
      `r${String(at)}`,
      at === 11 ? {} : parts(`r${String(at + 1)}`),
    ]);
    for (const $defs of [{ r0: parts("r0") }, Object.fromEntries(levels)]) {
      const schema = { type: "object", properties: { a: { $ref: "#/$defs/r0" } }, required: ["a"], $defs };
      await leavingLoopFree(() => expect(rowsOf(schema, 1)).rejects.toThrow(/more than 10000 values and schema parts/));
    }
  });

  it("are made as long as they are not", async () => {
    const [row] = await leavingLoopFree(() => asked({ type: "string", minLength: 50_000 }));
    expect(String(row?.["a"]).length).toBeGreaterThanOrEqual(50_000);
  });
});
