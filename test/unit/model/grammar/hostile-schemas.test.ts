/** What goes to the engine's grammar parser can be read by it, and is never so large that others have to wait. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatGrammar } from "../../../../server/model/grammar/schema-grammar.ts";
import { OllamaError } from "../../../../server/model/ollama-error.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../../support/model/grammar-matcher.ts";

let grammars: GrammarMatcher;
beforeAll(async () => {
  grammars = await createGrammarMatcher();
});
afterAll(() => grammars.dispose());

type Schema = Record<string, unknown>;
const text = (pattern: string) => ({ type: "string", pattern });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const inside = (schema: Schema) => ({ type: "object", properties: { deep: schema }, required: ["deep"] });
const again = { items: { $ref: "#/$defs/list" } };
const nested = (levels: number) => times(levels, () => inside).reduce<Schema>((schema, wrap) => wrap(schema), {});

function refusalOf(schema: Schema): string {
  try {
    return `a grammar of ${String(formatGrammar(schema).length)} characters`;
  } catch (error) {
    return error instanceof OllamaError ? `${String(error.status)} ${error.message}` : String(error);
  }
}

describe("an invalid or excessive schema is a 400 that names keyword and place", () => {
  const cases: readonly (readonly [what: string, schema: Schema, keyword: string, why: RegExp])[] = [
    ["a pattern that counts backwards", text("^x{3,2}$"), "pattern", /out of order/],
    ["a range that runs backwards", text("^[z-a]$"), "pattern", /out of order/],
    ["an empty class", text("^[]$"), "pattern", /a class is empty/],
    ["a group without end", text("^(a$"), "pattern", /Unterminated group/],
    ["a pattern that repeats for ever", text("a{2000}".repeat(100_000)), "pattern", /more than 10000 characters/],
    [
      "a short pattern of many characters",
      text("^(a{1000}){100}$"),
      "pattern",
      /repeats more than 1999 parts|stands for/,
    ],
    ["many groups", text(`^(${"(ab){40}".repeat(60)}){20}$`), "pattern", /stands for more than 50000/],
    ["groups in groups", text(`${"(".repeat(3000)}a${")".repeat(3000)}`), "pattern", /nested deeper/],
    ["a pattern of many ways", text("^[ab]*a[ab]{20}$"), "pattern", /more than 20000 states|too many ways/],
    ["counted parts in counted parts", text("^(.{1,99}){99}$"), "pattern", /too many ways/],
    ["a pattern that is no text", { type: "string", pattern: 5 }, "pattern", /must be a text/],
    ["more characters than can be counted", { type: "string", minLength: 2e6 }, "minLength", /at most 1000000/],
    ["a length that is no number", { type: "string", minLength: "x" }, "minLength", /whole number/],
    ["a negative count", { type: "array", minItems: -1 }, "minItems", /whole number/],
    ["a broken count", { type: "object", maxProperties: 1.5 }, "maxProperties", /whole number/],
    ["a bound without end", { type: "integer", minimum: Infinity }, "minimum", /must be a number/],
    ["the largest of all numbers as a bound", { minimum: Number.MAX_VALUE }, "minimum", /more than 25 digits/],
    ["the smallest of them", { exclusiveMaximum: -Number.MAX_VALUE }, "exclusiveMaximum", /more than 25 digits/],
    [
      "references in a circle",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
      "$ref",
      /refers to itself/,
    ],
    ["a schema that is one of itself", { anyOf: [{ $ref: "#" }, { type: "string" }] }, "$ref", /refers to itself/],
    ["a schema that is all of itself", { allOf: [{ $ref: "#" }] }, "$ref", /refers to itself/],
    ["one of itself and something else", { type: "string", anyOf: [{ $ref: "#" }, {}] }, "$ref", /refers to itself/],
    ["a reference to nothing", { $ref: "#/constructor" }, "$ref", /its target does not exist/],
    ["a reference that is no address", { $ref: "#/%zz" }, "$ref", /its target does not exist/],
    ["a thousand levels", nested(1000), "properties", /nested deeper than 200 levels/],
    ["a number that was rounded as it was read", { const: 2 ** 53 + 2 }, "const", /are not exact; make them texts/],
    ["such a number in one of several values", { enum: ["a", { id: [-(2 ** 60)] }] }, "enum", /are not exact/],
    ["a number beyond all", { const: JSON.parse("1e400") as unknown }, "const", /are not exact/],
    ["an enum without values", { enum: [] }, "enum", /no value is left/],
    ["an enum that is none", { enum: "a" }, "enum", /must be a list/],
    ["no type at all", { type: [] }, "type", /no value is left/],
    ["no alternative", { anyOf: [false, false] }, "false", /no value satisfies it/],
    ["a text for a schema", { properties: { x: "bar" } }, "x", /it is no schema/],
    [
      "members that are none in one of two parts",
      { allOf: [{ properties: {} }, { properties: 1 }] },
      "properties",
      /must be an object/,
    ],
    ["members that are none", { type: "object", properties: [1] }, "properties", /must be an object/],
    ["required members without names", { type: "object", required: [1] }, "required", /list of names/],
    [
      "too many members",
      { type: "object", properties: Object.fromEntries(times(20_000, (at) => [`p${String(at)}`, {}])) },
      "properties",
      /more than 1000000 characters/,
    ],
    [
      "too many alternatives",
      { anyOf: times(2001, (at) => ({ type: "array", items: { const: at } })) },
      "anyOf",
      /more than 2000 alternatives/,
    ],
    [
      "too much text",
      { enum: times(2000, (at) => `${String(at)}${"x".repeat(600)}`) },
      "enum",
      /more than 1000000 characters/,
    ],
    [
      "a value that is judged twice as often for each level",
      {
        const: times(40, () => (value: unknown) => [value]).reduce<unknown>((value, wrap) => wrap(value), []),
        $ref: "#/$defs/list",
        $defs: { list: { ...again, not: { not: again } } },
      },
      "const",
      /takes too long/,
    ],
    [
      "values that are judged for many alternatives",
      { enum: times(20_000, String), anyOf: times(400, (at) => ({ type: "string", minLength: at % 3 })) },
      "enum",
      /takes too long/,
    ],
    ["what is not what it is not", times(2000, () => 0).reduce<Schema>((not) => ({ not }), {}), "not", /too deeply/],
    [
      "references to references",
      { $ref: "#/$defs/0", $defs: times(3000, (at) => ({ $ref: `#/$defs/${String(at + 1)}` })) },
      "$ref",
      /takes too long/,
    ],
    ["values that begin with one another", { enum: times(3000, (at) => "a".repeat(at)) }, "enum", /alternatives/],
  ];
  it.each(cases)("%s", (_what, schema, keyword, why) => {
    for (const [place, whole] of [
      ["#", schema],
      ["#/properties/deep", { ...inside(schema), $defs: schema["$defs"] }],
    ] as const) {
      if (place !== "#" && JSON.stringify(schema).includes('"#"')) continue;
      const refusal = refusalOf(whole);
      expect(refusal).toMatch(/^400 invalid format: the schema keyword "/);
      expect(refusal).toContain(`the schema keyword ${JSON.stringify(keyword)} at #`);
      expect(refusal).toMatch(why);
    }
  });
});

describe("a large but plain schema is accepted, and read by the engine", () => {
  const names = times(20_000, (at) => `name ${String((at * 7919) % 20_000)} of many`);
  const cases: readonly (readonly [what: string, schema: Schema, good: readonly unknown[], bad: readonly unknown[]])[] =
    [
      ["20,000 texts", { enum: names }, [names[0], names[19_999]], ["name", "name 1 of man", "name 20000 of many"]],
      [
        "texts that begin with one another",
        { enum: ["a", "ab", "abc", "b", ""] },
        ["", "a", "ab", "abc", "b"],
        ["c", "bc"],
      ],
      [
        "signs that begin alike",
        { enum: ["😀", "😁", "a😀", "a😁b", "ä", "á"] },
        ["😀", "😁", "a😀", "a😁b", "á"],
        ["a", "😂", "a😁"],
      ],
      ["values of any kind", { enum: ["1", 1, 12, null, [1], { a: 1 }, true] }, ["1", 1, 12, null, true], [2, "null"]],
      ["the longest text", { type: "string", maxLength: 1999 }, ["", "x".repeat(1999)], ["x".repeat(2000)]],
      [
        "the longest list",
        { type: "array", items: { type: "integer" }, maxItems: 1999 },
        [[], [1], times(1999, () => 0)],
        [times(2000, () => 0)],
      ],
      [
        "an exact number of items",
        { type: "array", items: { enum: [1] }, minItems: 3, maxItems: 3 },
        [[1, 1, 1]],
        [
          [1, 1],
          [1, 1, 1, 1],
        ],
      ],
      ["a hundred levels", nested(100), [], [{}, 1]],
      [
        "itself within itself",
        { type: "object", properties: { kids: { type: "array", items: { $ref: "#" } } }, required: ["kids"] },
        [{ kids: [] }, { kids: [{ kids: [] }] }],
        [{}, { kids: [1] }],
      ],
      [
        "an address",
        text("^[\\w.+-]{1,64}@([a-z0-9-]{1,63}\\.){1,4}[a-z]{2,10}$"),
        ["a.b@some.example.org"],
        ["a.b@", "@x.y"],
      ],
      ["a pattern counted once", text("^[a-f]{0,1999}$"), ["", "abc", "a".repeat(1999)], ["g", "a".repeat(2000)]],
      [
        "names that objects have by themselves",
        {
          allOf: [
            { type: "object", properties: JSON.parse('{"toString":{"enum":[1]},"__proto__":{"enum":[2]}}') as Schema },
            { properties: { constructor: { enum: [3] } }, required: ["toString", "constructor"] },
          ],
        },
        [JSON.parse('{"toString":1,"__proto__":2,"constructor":3}'), { toString: 1, constructor: 3 }],
        [{}, { toString: 2, constructor: 3 }],
      ],
      ["what may be empty, repeated", text("^(a*b?)*c$"), ["c", "aabbac"], ["", "d"]],
    ];
  it.each(cases)("%s", (_what, schema, good, bad) => {
    const matches = grammars.matcher(formatGrammar(schema));
    for (const value of good) expect([value, matches(JSON.stringify(value))]).toEqual([value, true]);
    for (const value of bad) expect([value, matches(JSON.stringify(value))]).toEqual([value, false]);
  });
});
