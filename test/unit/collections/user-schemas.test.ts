import { message } from "../../../server/contract/messages/message.ts";
import { inEnglish } from "../../../server/contract/messages/in-english.ts";
import { describe, expect, it } from "vitest";
import { createSchemaCompiler } from "../../../server/app/collections/schema/compile-schema.ts";
import { describeSchema } from "../../../server/app/collections/schema/describe-schema.ts";
import { secretsOf, secretMembers } from "../../../server/json-schema/schema-secrets.ts";
import { singularOf } from "../../../server/contract/app/plural-names.ts";
import { pascalCase } from "../../../server/contract/app/resources.ts";
import { leavingLoopFree } from "../../support/busy-loop.ts";

/** Longer than any check of these takes on a busy machine. */
const deadlineMs = 5_000;

describe("a pattern that takes longer the more it is given", () => {
  const endless = "^(x+x+)+y$";
  const long = "x".repeat(60);
  it.each([
    ["of a text", { properties: { a: { pattern: endless } } }, { a: long }],
    ["of names", { patternProperties: { [endless]: { type: "string" } } }, { [long]: "" }],
  ])("%s makes the item one that cannot be checked, and says which it is", (_what, schema, item) => {
    const check = createSchemaCompiler(250)(schema);
    expect(check({ a: "xxxy" })).toEqual([]);
    const [problem, ...others] = check(item);
    expect([problem?.path, others]).toEqual([[], []]);
    const text = problem && inEnglish(problem.message);
    expect(text).toContain("simplify the schema");
    expect(text).toContain(`within 250 ms (pattern "${endless}")`);
  });

  it("hides a member rather than showing a secret", () => {
    const secrets = secretsOf({ patternProperties: { [endless]: { writeOnly: true } } });
    expect(secrets?.hide({ [long]: "secret", xxxy: "secret", open: 1 })).toEqual({ open: 1 });
  });
});

describe("items that must be unique", () => {
  const check = createSchemaCompiler(deadlineMs)({ properties: { a: { type: "array", uniqueItems: true } } });
  it.each([[[1, "1", true, null, {}, []]], [[{ a: 1 }, { b: 1 }, { a: [1] }]], [[]]])("may be %j", (a) =>
    expect(check({ a })).toEqual([]),
  );
  it.each([
    [[1, 1.0]],
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
    ],
    [[{ toString: 0 }, { toString: 0 }]],
  ])("may not be %j", (a) => expect(check({ a })).toEqual([{ path: ["a"], message: message("is.repetitive") }]));

  it("are checked quickly, however many a client sends", async () => {
    const a = Array.from({ length: 150_000 }, (_, at) => at);
    expect(await leavingLoopFree(() => check({ a }))).toEqual([]);
  });
});

describe("a user's schema that cannot be worked with", () => {
  it("is at fault where it refers to itself about the same value", () => {
    const endless = {
      properties: { a: { allOf: [{ $ref: "#/properties/b" }] }, b: { allOf: [{ $ref: "#/properties/a" }] } },
    };
    const check = createSchemaCompiler(deadlineMs)(endless);
    expect(check({ a: 1 })).toEqual([{ path: [], message: message("is.endless") }]);
    expect(check({})).toEqual([]);
  });

  it("is refused before it is compiled where it is too large", () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${String(at)}`, {}]));
    expect(() => createSchemaCompiler(deadlineMs)({ properties: fields(6_000) })).toThrow("more than 5000 schemas");
  });

  it("is compiled in no time, however deep the values are in a part that it refers to", async () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 60; depth++) value = [value];
    const check = await leavingLoopFree(() =>
      createSchemaCompiler(deadlineMs)({ properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { const: value } } }),
    );
    expect(check({ a: value })).toEqual([]);
  });
});

describe("the description of a user's schema", () => {
  it("has scalars in the place of references to them, and other targets as definitions of its own", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { a: { $ref: "#/$defs/x", description: "An a." }, tree: { $ref: "#/$defs/tree" }, me: { $ref: "#" } },
      $defs: {
        x: { type: "string", description: "An x." },
        tree: { properties: { left: { $ref: "#/$defs/tree" } } },
      },
      "x-hearth": {},
    };
    expect(describeSchema(schema, { answered: false })).toEqual({
      properties: {
        a: { type: "string", description: "An a." },
        tree: { $ref: "#/$defs/tree" },
        me: { $ref: "#/$defs/Item" },
      },
      $defs: {
        tree: { properties: { left: { $ref: "#/$defs/tree" } } },
        Item: {
          properties: {
            a: { type: "string", description: "An a." },
            tree: { $ref: "#/$defs/tree" },
            me: { $ref: "#/$defs/Item" },
          },
        },
      },
    });
  });

  it("keeps apart what a reference and its neighbours ask", () => {
    const schema = {
      properties: { a: { $ref: "#/$defs/x", minLength: 3 } },
      $defs: { x: { type: "string", minLength: 5 } },
    };
    expect(describeSchema(schema, { answered: false })["properties"]).toEqual({
      a: { allOf: [{ type: "string", minLength: 5 }], minLength: 3 },
    });
  });

  it("as answered, has no secrets and does not demand them", () => {
    const schema = {
      properties: { a: { type: ["string", "null"] }, b: { type: "string" }, pin: { writeOnly: true } },
      required: ["a", "b", "pin"],
    };
    expect(describeSchema(schema, { answered: true })).toEqual({
      properties: { a: { type: ["string", "null"] }, b: { type: "string" } },
      required: ["a", "b"],
    });
  });

  it("stays small where references double at each step", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => {
        const next = { $ref: `#/$defs/d${String(i + 1)}` };
        return [`d${String(i)}`, i === 29 ? {} : { properties: { a: next, b: next } }];
      }),
    );
    const described = describeSchema({ properties: { a: { $ref: "#/$defs/d0" } }, $defs }, { answered: false });
    expect(Object.keys(described["$defs"] as object)).toHaveLength(29);
  });
});

describe("secrets of a user's schema", () => {
  const schema = {
    properties: {
      own: { writeOnly: true },
      referred: { $ref: "#/$defs/secret" },
      node: { $ref: "#/$defs/node" },
      list: { items: { properties: { key: { writeOnly: true } } } },
      open: { type: "string" },
    },
    patternProperties: { "^pw_": { writeOnly: true } },
    if: { properties: { open: { const: "x" } } },
    then: { properties: { conditional: { writeOnly: true } } },
    $defs: {
      secret: { type: "string", writeOnly: true },
      node: { properties: { value: { $ref: "#/$defs/secret" }, next: { $ref: "#/$defs/node" }, name: {} } },
    },
  };

  it("are taken away wherever they are, and nothing else is", () => {
    const item = {
      own: 1,
      referred: "s",
      node: { name: "a", value: "s", next: { name: "b", value: "s", next: { value: "s" } } },
      list: [{ key: "s", other: 1 }, "text"],
      open: "y",
      pw_mail: "s",
      conditional: "s",
      unknown: { own: 1 },
    };
    expect(secretsOf(schema)?.hide(item)).toEqual({
      node: { name: "a", next: { name: "b", next: {} } },
      list: [{ other: 1 }, "text"],
      open: "y",
      unknown: { own: 1 },
    });
  });

  it("are under the names of their members, or of what is around those without one", () => {
    const keys = { additionalProperties: { type: "string", writeOnly: true } };
    const secrets = secretsOf({
      ...schema,
      properties: {
        ...schema.properties,
        card: { allOf: [{ properties: { number: {}, cvv: { writeOnly: true } } }] },
        keys,
        rings: { items: { anyOf: [{ type: "null" }, { $ref: "#/$defs/ring" }] } },
        pair: { prefixItems: [{ type: "string" }, { writeOnly: true }] },
      },
      $defs: { ...schema.$defs, ring: { patternProperties: { "^k": keys } } },
    });
    const named = ["own", "referred", "value", "key", "conditional", "cvv", "keys", "rings", "pair"];
    expect([secrets?.names.toSorted(), secrets?.hasUnnamed]).toEqual([named.toSorted(), true]);
    expect(secretsOf({ properties: { a: keys } })?.hasUnnamed).toBe(false);
  });

  it("are put back as copies, because others share the older form", () => {
    const before = { own: { a: 1 }, open: "y" };
    const item = secretsOf(schema)?.putBack(before, { open: "z" });
    expect(item).toEqual({ own: { a: 1 }, open: "z" });
    expect(item?.["own"]).not.toBe(before.own);
  });

  it("are separated from the other members, and nothing is done where there are none", () => {
    expect(secretMembers(schema, ["own", "referred", "node", "open", "conditional"])).toEqual([
      "own",
      "referred",
      "conditional",
    ]);
    expect(secretsOf({ properties: { open: {} } })).toBeUndefined();
  });
});

describe("names of collections", () => {
  it.each([
    ["books", "Book"],
    ["categories", "Category"],
    ["boxes", "Box"],
    ["addresses", "Address"],
    ["line-items", "LineItem"],
    ["people", "Person"],
    ["sales-people", "SalesPerson"],
    ["houses", "House"],
    ["movies", "Movie"],
    ["keys", "Key"],
    ["matches", "Match"],
  ])("%s has items called %s", (plural, singular) => {
    expect(pascalCase(singularOf(plural) ?? "")).toBe(singular);
  });
  it.each(["book", "status", "glass", "analysis", "is", "person"])("%s is no plural", (name) => {
    expect(singularOf(name)).toBeUndefined();
  });
});
