/** Collections that are made, changed, filled and removed over the console's API. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CollectionItem, CollectionView } from "../../../../server/contract/console/data/collection-endpoints.ts";
import type { SchemaCheck } from "../../../../server/contract/console/data/schema-endpoints.ts";
import { askConsole, type ConsoleRefusal } from "../../../support/app/ask-console.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { itemSchema, userFiles } from "../../../support/app/user-files.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = <T = ConsoleRefusal>(method: string, path: string, body?: unknown) =>
  askConsole<T>(app, method, path, body);
const textOf = (properties: object, more: Parameters<typeof itemSchema>[1] = {}) =>
  JSON.stringify(itemSchema(properties, more), null, 2);
const name = { type: "string" };
const save = (collection: string, text: string, options: object = {}) =>
  ask("PUT", `/collections/${collection}/schema`, { text, ...options });
const fileOf = (collection: string) => userFiles(app).pathOf(collection);
const items = async (collection: string) =>
  (await ask<{ items: CollectionItem[] }>("GET", `/collections/${collection}/items?sort=id`)).body.items;

describe("a collection made by the console", () => {
  it("is a schema file in the collections folder, and served when the answer comes", async () => {
    const text = textOf({ name, room: { type: "integer", "x-hearth": { ref: "rooms" } } });
    const made = await save("plants", text, { create: true });
    expect(made).toMatchObject({ status: 200, body: { path: "/api/plants", file: fileOf("plants") } });
    expect(readFileSync(fileOf("plants"), "utf8")).toBe(text);
    expect(readdirSync(join(fileOf("plants"), ".."))).toEqual(["plants.json"]);
    const { body } = await ask<{ collections: CollectionView[] }>("GET", "/collections");
    expect(body.collections.find((one) => one.name === "plants")).toMatchObject({
      built_in: false,
      relations: [{ field: "room", to: "rooms" }],
    });
    expect(await ask("GET", "/collections/plants/schema")).toMatchObject({ body: { text } });
  });

  it("is refused with the place of the problem, and nothing is written", async () => {
    const bad = await save("rocks", '{\n  "type": "object",\n  "properties": {"size": {"type": "big"}}\n}');
    expect([bad.status, bad.body.code]).toEqual([400, "bad_schema"]);
    expect(bad.body.Message).toContain("line 3");
    for (const [collection, status] of [
      ["articles", 400],
      ["Rocks", 400],
      ["rock", 400],
      ["..%2Fx", 400],
    ] as const)
      expect([collection, (await save(collection, textOf({ name }))).status]).toEqual([collection, status]);
    expect((await save("plants", textOf({ name }), { create: true })).body.code).toBe("name_taken");
    expect([existsSync(fileOf("rocks")), existsSync(fileOf("articles"))]).toEqual([false, false]);
  });
});

describe("a schema that cannot be served once it is written", () => {
  const nothingToMakeUp = textOf(
    { name: { type: "string", "x-faker": "no.such" } },
    { hearth: { generate: { count: 1 } } },
  );
  const tooLarge = textOf({ name: { type: "string", description: "图".repeat(400_000) } });

  it.each([
    ["makes up no items", nothingToMakeUp, "x-faker"],
    ["is too large a file", tooLarge, "larger than"],
  ])("is refused, and leaves no file: it %s", async (_what, text, problem) => {
    const refused = await save("gadgets", text, { create: true });
    expect([refused.status, refused.body.code]).toEqual([400, "bad_schema"]);
    expect(refused.body.Message).toContain(problem);
    expect(readdirSync(userFiles(app).folder).filter((file) => file.startsWith("gadgets"))).toEqual([]);
    expect((await ask("GET", "/collections/gadgets/items")).status).toBe(404);
  });

  it("leaves the version before as it was", async () => {
    const text = textOf({ name });
    await save("gizmos", text);
    expect((await save("gizmos", nothingToMakeUp)).body.code).toBe("bad_schema");
    expect(await ask("GET", "/collections/gizmos/schema")).toMatchObject({ body: { text } });
    expect((await ask("POST", "/collections/gizmos/items", { data: { name: "a" } })).status).toBe(201);
  });
});

describe("a changed schema", () => {
  it("is told before which items do not fit it, and loses none of them", async () => {
    await save("cups", textOf({ name, size: { type: "integer" } }));
    for (const data of [{ name: "a", size: 1 }, { name: "b" }, { name: "b", size: 7 }])
      await ask("POST", "/collections/cups/items", { data });
    const strict = textOf(
      { name, size: { type: "integer", maximum: 5 } },
      { required: ["size"], hearth: { unique: ["name"] } },
    );
    const before = readFileSync(fileOf("cups"), "utf8");
    const checked = await ask<SchemaCheck>("POST", "/collections/cups/schema-checks", { text: strict });
    expect(checked.body).toEqual({
      misfits: 2,
      examples: [
        { id: 2, field: "size", problem: "is missing" },
        { id: 3, field: "size", problem: expect.stringContaining("5") },
      ],
    });
    const refused = await save("cups", strict);
    expect([refused.status, refused.body.code, refused.body.details.length]).toEqual([409, "items_do_not_fit", 2]);
    expect(readFileSync(fileOf("cups"), "utf8")).toBe(before);
    expect((await save("cups", strict, { keep_misfits: true })).status).toBe(200);
    expect((await items("cups")).map(({ data }) => data)).toEqual([
      { name: "a", size: 1 },
      { name: "b" },
      { name: "b", size: 7 },
    ]);
    const bad = await ask<SchemaCheck>("POST", "/collections/cups/schema-checks", { text: "{" });
    expect(bad.body).toMatchObject({ problem: { line: 1 }, misfits: 0 });
  });

  it("is checked with the formats that it ignores", async () => {
    const text = textOf({ name, year: { type: "string", format: "roman" } });
    const checked = await ask<SchemaCheck>("POST", "/collections/cups/schema-checks", { text });
    expect(checked.body.ignored_formats).toEqual([{ format: "roman", line: 9, column: 7 }]);
  });
});

describe("many items at once", () => {
  it("are added all or none", async () => {
    await save("coins", textOf({ name, worth: { type: "number" } }, { hearth: { unique: ["name"] } }));
    const add = (rows: object[]) => ask("POST", "/collections/coins/imports", { items: rows });
    expect(await add([{ name: "a", worth: 1 }, { name: "b" }])).toMatchObject({ status: 201, body: { added: 2 } });
    const wrong = await add([{ name: "c" }, { name: "d", worth: "much" }]);
    expect([wrong.status, wrong.body.details[0]?.field]).toEqual([400, "items.1.worth"]);
    expect((await add([{ name: "e" }, { name: "a" }])).status).toBe(400);
    expect((await items("coins")).map(({ id }) => id)).toEqual([1, 2]);
    await save("pockets", textOf({ coin: { type: "integer", "x-hearth": { ref: "coins" } } }));
    expect((await ask("POST", "/collections/pockets/imports", { items: [{ coin: 2 }, { coin: 3 }] })).status).toBe(400);
    expect((await ask("POST", "/collections/articles/imports", { items: [{ title: "x" }] })).status).toBe(404);
  });
});

describe("many items beside old ones that do not fit", () => {
  const hearth = { unique: ["name"] };
  const coin = { type: "integer", "x-hearth": { ref: "medals" } };
  const add = (collection: string, rows: object[]) =>
    ask("POST", `/collections/${collection}/imports`, { items: rows });

  it("are added, and refused only for what they say themselves, by place", async () => {
    await save("medals", textOf({ name }));
    await add("medals", [{ name: "a" }, { name: "twice" }, { name: "twice" }]);
    await save("medals", textOf({ name }, { hearth }), { keep_misfits: true });
    expect(await add("medals", [{ name: "b" }])).toMatchObject({ status: 201 });
    expect(await add("medals", [{ name: "c" }, { name: "twice" }])).toMatchObject({
      status: 400,
      body: { code: "invalid_data", details: [{ field: "items.1.name" }] },
    });
    expect(await add("medals", [{ name: "c" }, { name: "d" }, { name: "c" }])).toMatchObject({
      status: 400,
      body: { details: [{ field: "items.2.name" }] },
    });
    await save("purses", textOf({ coin }, { hearth: { seed: [{ coin: 77 }, { coin: 1e21 }] } }));
    expect(await add("purses", [{ coin: 1 }, { coin: 2 }, {}])).toMatchObject({ status: 201, body: { added: 3 } });
    for (const none of [77, 78, 0, -1, 2 ** 53, 1e19, 1e21]) {
      const refused = await add("purses", [{ coin: 3 }, { coin: none }]);
      expect([refused.status, refused.body.details]).toEqual([
        400,
        [{ field: "items.1.coin", problem: expect.stringContaining(`medals/${none} does not exist`) as string }],
      ]);
    }
    expect((await items("purses")).map(({ data }) => data["coin"])).toEqual([77, 1e21, 1, 2, undefined]);
  });

  it("may refer to each other", async () => {
    const parent = { type: "integer", "x-hearth": { ref: "chests" } };
    await save("chests", textOf({ parent }));
    expect(await add("chests", [{ parent: 2 }, { parent: 1 }])).toMatchObject({ status: 201 });
    expect(await add("chests", [{ parent: 3 }, { parent: 5 }])).toMatchObject({
      status: 400,
      body: { details: [{ field: "items.1.parent" }] },
    });
  });

  it("are merged as a document, too", async () => {
    const created_at = "2026-01-02T03:04:05.678Z";
    const merge = (id: number, text: string) => {
      const record = { id, owner_uid: "", version: 1, created_at, updated_at: created_at, data: { name: text } };
      return ask("POST", "/data", { format: "hearth-data/1", collections: { medals: { records: [record] } } });
    };
    expect((await merge(1, "e")).status).toBe(200);
    expect(await merge(1, "twice")).toMatchObject({ status: 400, body: { details: [{ field: "medals/1.name" }] } });
  });
});

describe("a removed collection", () => {
  it("is out of service, its schema and its items lie aside, and can come back", async () => {
    await save("lamps", textOf({ name, key: { type: "string", writeOnly: true } }));
    await ask("POST", "/collections/lamps/items", { data: { name: "desk", key: "k" } });
    await save("bulbs", textOf({ lamp: { type: "integer", "x-hearth": { ref: "lamps" } } }));
    expect((await ask("DELETE", "/collections/lamps")).status).toBe(409);
    expect((await ask("DELETE", "/collections/bulbs")).status).toBe(200);
    const removed = await ask<{ folder: string; items: number }>("DELETE", "/collections/lamps");
    expect(removed).toMatchObject({ status: 200, body: { items: 1 } });
    expect((await ask("GET", "/collections/lamps/items")).status).toBe(404);
    expect(existsSync(fileOf("lamps"))).toBe(false);

    const aside = (file: string) => readFileSync(join(removed.body.folder, file), "utf8");
    await save("lamps", aside("lamps.json"));
    expect(await items("lamps")).toEqual([]);
    await ask("POST", "/data", JSON.parse(aside("items.json")));
    expect(await items("lamps")).toMatchObject([{ id: 1, data: { name: "desk" } }]);
    for (const collection of ["articles", "nothings"])
      expect((await ask("DELETE", `/collections/${collection}`)).status).toBe(404);
  });
});
