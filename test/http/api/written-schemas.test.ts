/** Schemas as people and generators write them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startUserCollections } from "../../support/app/user-collections.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
let files: (typeof started)["files"];
let call: (typeof started)["call"];
beforeAll(async () => {
  started = await startUserCollections();
  ({ files, call } = started);
});
afterAll(() => started[Symbol.asyncDispose]());

const hearth = { "x-hearth": { access: "none" } };
const draft = (number: string) => ({ $schema: `http://json-schema.org/draft-${number}/schema#` });
const integer = { type: "integer" };

describe("a schema file", () => {
  it.each([
    [
      "of draft 7, whose references hide what is beside them",
      "refs",
      { ...draft("07"), properties: { n: { $ref: "#/definitions/i", minimum: 18 } }, definitions: { i: integer } },
      [{ n: 3 }],
      [{ n: "x" }],
    ],
    [
      "that is a reference to a definition",
      "novels",
      {
        $ref: "#/definitions/Book",
        definitions: { Book: { type: "object", properties: { title: { type: "string" } } } },
      },
      [{ title: "a" }],
      [{ title: 1 }],
    ],
    [
      "of draft 4, with a boolean beside a bound and ids without a dollar",
      "olds",
      {
        ...draft("04"),
        id: "http://example.com/olds.json",
        type: "object",
        properties: { n: { type: "number", minimum: 0, exclusiveMinimum: true }, m: { $ref: "#m" } },
        definitions: { m: { id: "#m", type: "boolean" } },
      },
      [{ n: 1, m: true }],
      [{ n: 0 }, { m: 1 }],
    ],
    [
      "without properties",
      "bags",
      { type: "object", additionalProperties: { type: "string" } },
      [{ a: "b", "": "c" }, {}],
      [{ a: 1 }],
    ],
    ["without a type", "things", { properties: { a: integer } }, [{ a: 1 }], [{ a: "1" }]],
    [
      "with lists of items, and a pointer into one",
      "pairs",
      {
        ...draft("06"),
        properties: {
          p: { items: [integer, { type: "string" }], additionalItems: false },
          q: { $ref: "#/properties/p/items/0" },
        },
      },
      [{ p: [1, "a"], q: 1 }],
      [{ p: ["a"] }, { p: [1, "a", 2] }, { q: "a" }],
    ],
    [
      "with formats and keywords of editors",
      "edits",
      {
        markdownDescription: "m",
        allowTrailingCommas: true,
        properties: { a: { type: "string", format: "color-hex", defaultSnippets: [], enumDescriptions: ["x"] } },
      },
      [{ a: "no color" }],
      [{ a: 1 }],
    ],
    [
      "of draft 2019-09 that leads back to itself",
      "trees",
      {
        $schema: "https://json-schema.org/draft/2019-09/schema",
        $recursiveAnchor: true,
        properties: { a: integer, in: { $recursiveRef: "#" } },
      },
      [{ in: { in: { a: 1 } } }],
      [{ in: { in: { a: "1" } } }],
    ],
  ])("%s is a collection", async (_what, name, schema, right, wrong) => {
    await files.load(name, { ...schema, ...hearth });
    for (const item of right) {
      const { status, json } = await call(name, "POST", item, {});
      expect([status, json]).toEqual([201, expect.objectContaining(item)]);
    }
    for (const item of wrong) expect([item, (await call(name, "POST", item, {})).status]).toEqual([item, 400]);
    expect((await call("../swagger/docs/v1")).status).toBe(200);
  });

  it("with a misspelt keyword is refused with the one that is meant", async () => {
    for (const [word, meant] of [
      ["minlength", "minLength"],
      ["requierd", "required"],
      ["patern", "pattern"],
    ] as const)
      expect(await files.fail("words", { properties: { a: { [word]: 1 } } })).toMatchObject({
        message: expect.stringContaining(`write "${meant}"`),
      });
  });

  it("with a field named $ref is described without an example that programs take for a reference", async () => {
    const link = { type: "object", required: ["$ref"], properties: { $ref: { type: "string", examples: ["x"] } } };
    await files.load("links", {
      ...link,
      examples: [{ $ref: "a" }],
      properties: { ...link.properties, default: link },
      ...hearth,
    });
    const { text } = await call("../swagger/docs/v1");
    const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference = ""]) => reference);
    expect(references.filter((one) => !one.startsWith("#/components/"))).toEqual([]);
  });

  it("of any size is described while other requests are answered", async () => {
    const deep = (levels: number): object => ({
      type: "object",
      properties: Object.fromEntries(
        ["a", "b", "c"].map((name) => [name, levels === 0 ? { type: "string" } : deep(levels - 1)]),
      ),
    });
    for (let at = 0; at < 12; at++)
      await files.load(`heavies-${String(at)}`, {
        ...deep(4),
        "x-hearth": { access: "none", singular: `heavy${String(at)}` },
      });
    let isDone = false;
    const described = call("../swagger/docs/v1").finally(() => (isDone = true));
    let answered = 0;
    while (!isDone) {
      expect((await call("heavies-0", "GET", undefined, {})).status).toBe(200);
      answered += 1;
    }
    expect([(await described).status, answered > 1]).toEqual([200, true]);
  });
});
