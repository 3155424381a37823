/** The console's operations on items whose ids are texts: items, imports, exports, undo, names, changed schemas. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DataDocument } from "../../../../server/contract/console/data/data-transfer.ts";
import type { CollectionItem } from "../../../../server/contract/console/data/collection-endpoints.ts";
import type { SchemaCheck } from "../../../../server/contract/console/data/schema-endpoints.ts";
import { askConsole, type ConsoleRefusal } from "../../../support/app/ask-console.ts";
import { startUserCollections } from "../../../support/app/user-collections.ts";
import { itemSchema } from "../../../support/app/user-files.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
const text = { type: "string" };
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const none = "00000000-0000-4000-8000-00000000000a";

beforeAll(async () => {
  started = await startUserCollections();
  const { files } = started;
  await files.load(
    "pages",
    itemSchema({ name: text, pin: { ...text, writeOnly: true } }, { hearth: { id: "string" } }),
  );
  await files.load("guests", itemSchema({ name: text }, { hearth: { id: "uuid" } }));
});
afterAll(() => started[Symbol.asyncDispose]());

const ask = <T = ConsoleRefusal>(method: string, path: string, body?: unknown) =>
  askConsole<T>(started.app, method, path, body);
const items = async (collection: string) =>
  (await ask<{ items: CollectionItem[] }>("GET", `/collections/${collection}/items?sort=id`)).body.items;
const undo = (item?: object) => ask("POST", "/undone-changes", item ? { item } : {});
const one = (id: string) => `/collections/pages/items/${encodeURIComponent(id)}`;

describe("an item in the console", () => {
  it("is made, read, replaced, deleted and brought back by the id that clients see", async () => {
    const made = await ask<CollectionItem>("POST", "/collections/pages/items", { data: { id: "a/b,c", name: "x" } });
    expect([made.status, made.body]).toMatchObject([
      201,
      { id: "a/b,c", version: 1, data: { id: "a/b,c", name: "x" } },
    ]);
    expect((await ask("GET", one("a/b,c"))).body).toEqual(made.body);
    const changed = await ask("PUT", one("a/b,c"), { version: 1, data: { name: "y" } });
    expect([changed.status, changed.body]).toMatchObject([200, { id: "a/b,c", data: { name: "y" } }]);
    const other = await ask("PUT", one("a/b,c"), { version: 2, data: { id: "z", name: "y" } });
    expect([other.status, other.body.code]).toEqual([400, "other_id"]);
    expect((await ask("DELETE", one("a/b,c"))).status).toBe(204);
    expect((await ask("GET", one("a/b,c"))).status).toBe(404);
    expect((await undo({ collection: "pages", id: "a/b,c" })).body).toMatchObject({ id: "a/b,c", undone: "deleted" });
    expect((await started.call("pages/a%2Fb%2Cc")).json.data).toMatchObject({ name: "y" });
    await ask("DELETE", one("a/b,c"));
    await started.call("pages", "POST", { id: "a/b,c", name: "of another" });
    const taken = await undo({ collection: "pages", id: "a/b,c" });
    expect([taken.status, taken.body.code]).toEqual([409, "id_taken"]);
  });

  it("is named in events by its id and its name", async () => {
    const event = { collection: "pages", id: "e/1", name: "An event" };
    await started.call("pages", "POST", { id: "e/1", name: "An event" });
    expect((await started.files.events("resource.created"))[0]).toEqual(event);
    await started.call("pages/e%2F1", "DELETE");
    expect((await started.files.events("resource.deleted"))[0]).toEqual(event);
  });
});

describe("many items at once", () => {
  const add = (rows: object[]) => ask("POST", "/collections/guests/imports", { items: rows });

  it("get ids, and are refused by place for an id that is taken, twice in them or of another kind", async () => {
    expect((await add([{ name: "a" }, { id: none.toUpperCase(), name: "b" }])).status).toBe(201);
    expect((await items("guests")).map(({ id }) => id)).toEqual([none, expect.stringMatching(uuid)]);
    for (const [rows, field] of [
      [[{ name: "c" }, { id: none }], "items.1.id"],
      [[{ id: none.replace("a", "b") }, {}, { id: none.replace("a", "B") }], "items.2.id"],
      [[{ id: "c" }], "items.0.id"],
    ] as const)
      expect(await add([...rows])).toMatchObject({ status: 400, body: { details: [{ field }] } });
    expect(await items("guests")).toHaveLength(2);
  });
});

describe("an export", () => {
  const exported = async () => (await ask<DataDocument>("GET", "/data")).body;
  const recordsOf = (document: DataDocument) => document.collections["pages"]?.records ?? [];

  it("has the ids that clients see, and merges into the same items, or adds them under their ids", async () => {
    await started.call("pages", "POST", { id: "kept", name: "before", pin: "1234" });
    await started.call("pages", "POST", { id: "lost", name: "lost" });
    const document = await exported();
    expect(recordsOf(document).map(({ id }) => id)).toEqual(["a/b,c", "kept", "lost"]);
    await started.call("pages/kept", "PATCH", { name: "after" });
    await started.call("pages/lost", "DELETE");
    await started.call("pages", "POST", { id: "added", name: "added" });
    expect((await ask("POST", "/data", document)).status).toBe(200);
    expect((await items("pages")).map(({ id, data }) => [id, data["name"]])).toEqual([
      ["a/b,c", "of another"],
      ["added", "added"],
      ["kept", "before"],
      ["lost", "lost"],
    ]);
    const secret = (await ask<DataDocument>("GET", "/data?secrets=include")).body;
    expect(recordsOf(secret).find(({ id }) => id === "kept")?.data).toMatchObject({ pin: "1234" });
    expect((await ask("PUT", "/data", document)).status).toBe(200);
    expect((await items("pages")).map(({ id }) => id)).toEqual(["a/b,c", "kept", "lost"]);
    expect((await started.call("pages", "POST", { id: "kept" })).status).toBe(409);
  });

  it("is refused where the id of a record is twice in it, contradicts its fields, or has another type", async () => {
    const at = "2026-01-02T03:04:05.678Z";
    const record = (id: string | number, data: object) => {
      return { id, owner_uid: "", version: 1, created_at: at, updated_at: at, data };
    };
    const merge = (name: string, records: object[]) =>
      ask("POST", "/data", { format: "hearth-data/1", collections: { [name]: { records } } });
    for (const [name, records, field] of [
      ["guests", [record(none, {}), record(none.toUpperCase(), {})], `guests/${none}`],
      ["pages", [record("a", { id: "b" })], "pages/a.id"],
      ["guests", [record(7, {})], "guests/7.id"],
      ["articles", [record("a", { title: "x" })], "articles/a"],
    ] as const)
      expect(await merge(name, [...records])).toMatchObject({ status: 400, body: { details: [{ field }] } });
    expect((await merge("pages", [record("written", { name: "by hand" })])).status).toBe(200);
    expect((await started.call("pages/written")).json.data).toMatchObject({ id: "written", name: "by hand" });
  });
});

describe("a schema whose ids become texts", () => {
  const schema = (id: string) => JSON.stringify(itemSchema({ name: text }, { hearth: { id } }));
  const save = (id: string, more: object = {}) =>
    ask("PUT", "/collections/chairs/schema", { text: schema(id), ...more });

  it("finds items from before that do not fit: they stay under their numbers until they are changed", async () => {
    await save("integer");
    for (const name of ["a", "b", "c"]) await started.call("chairs", "POST", { name });
    const checked = await ask<SchemaCheck>("POST", "/collections/chairs/schema-checks", { text: schema("uuid") });
    expect(checked.body).toMatchObject({
      misfits: 3,
      examples: [{ id: 1, field: "id", problem: "is missing" }, {}, {}],
    });
    expect((await save("uuid")).status).toBe(409);
    expect((await save("uuid", { keep_misfits: true })).status).toBe(200);
    expect((await started.call("chairs/2")).json.data).toMatchObject({ id: 2, name: "b" });
    const refused = await started.call("chairs/2", "PUT", { name: "B" });
    expect([refused.status, refused.json.details?.[0]?.field]).toEqual([400, "id"]);
    const named = await started.call("chairs/2", "PATCH", { id: none });
    expect([named.status, named.json.data]).toEqual([200, expect.objectContaining({ id: none, name: "b" })]);
    expect([(await started.call("chairs/2")).status, (await started.call(`chairs/${none}`)).status]).toEqual([
      404, 200,
    ]);
    expect((await started.call("chairs/3", "DELETE")).status).toBe(204);
    expect((await save("integer", { keep_misfits: true })).status).toBe(200);
    expect((await started.call("chairs/2")).json.data).toMatchObject({ id: 2, name: "b" });
  });
});

describe("items from the file", () => {
  it("get ids where the seed has none, and those that are made up have the kind, each another", async () => {
    const { files, list, call } = started;
    await files.load("lions", itemSchema({ name: text }, { hearth: { id: "ulid", generate: { count: 30 } } }));
    const lions = (await list("lions?page_size=100")).map(({ id }) => String(id));
    expect([lions.length, new Set(lions).size]).toEqual([30, 30]);
    for (const id of lions) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    await files.load(
      "tigers",
      itemSchema({ id: text }, { hearth: { seed: [{}, { id: "t2" }], generate: { count: 200 } } }),
    );
    expect((await call("tigers/t2")).status).toBe(200);
    expect(new Set((await list("tigers?page_size=100")).map(({ id }) => id)).size).toBe(100);
  });

  it("are the same ones again after a reset", async () => {
    const before = (await started.list("tigers?sort=id&page_size=100")).map(({ id }) => id);
    expect((await ask("POST", "/resets", { parts: ["records"] })).status).toBe(200);
    expect((await started.list("tigers?sort=id&page_size=100")).map(({ id }) => id)).toEqual(before);
  });
});
