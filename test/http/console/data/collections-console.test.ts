/** Collections over the console's API: browsing and editing what anybody owns. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CollectionItem, CollectionView } from "../../../../server/contract/console/data/collection-endpoints.ts";
import { askConsole } from "../../../support/app/ask-console.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { authorized, itemSchema, userFiles } from "../../../support/app/user-files.ts";

let app: TestApp;
let alice: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp({ settings: { basic_auth: true } });
  alice = await app.loggedIn("alice");
  await userFiles(app).load(
    "notes",
    itemSchema({ text: { type: "string" }, pin: { type: "string", writeOnly: true } }, { required: ["text", "pin"] }),
  );
  const key = { type: "object", properties: { name: { type: "string" }, pin: { type: "string", writeOnly: true } } };
  await userFiles(app).load("locks", itemSchema({ door: key, keys: { type: "array", items: key } }));
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = <T>(method: string, path: string, body?: unknown) =>
  askConsole<T>(app, method, `/collections${path}`, body);
const post = async (path: string, body: object) => {
  const reply = await fetch(`${app.url}/api${path}`, {
    method: "POST",
    headers: { ...alice, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: reply.status, data: ((await reply.json()) as { data: { id: number } }).data };
};
const everything = async () =>
  (await (await fetch(`${app.url}/console/api/data?secrets=include`, { headers: authorized })).json()) as {
    collections: Record<string, { records: { data: object }[] }>;
  };
type Page = { items: CollectionItem[]; total: number };

describe("the console's view of the collections", () => {
  it("lists built-in ones and those of files, with their schemas and numbers", async () => {
    await post("/articles", { title: "One" });
    const { body } = await ask<{ collections: CollectionView[] }>("GET", "");
    const byName = new Map(body.collections.map((one) => [one.name, one]));
    expect(byName.get("articles")).toMatchObject({ built_in: true, items: 1, fields: ["title", "body", "private"] });
    expect(byName.get("notes")).toMatchObject({ built_in: false, items: 0, path: "/api/notes" });
    expect(byName.get("notes")?.schema).toMatchObject({ required: ["text", "pin"] });
  });

  it("shows private items of others, pages, searches and sorts them", async () => {
    await post("/articles", { title: "Two", private: true });
    const all = await ask<Page>("GET", "/articles/items?sort=title");
    expect(all.body.items.map(({ data }) => data["title"])).toEqual(["One", "Two"]);
    const second = await ask<Page>("GET", "/articles/items?page=2&page_size=1");
    expect([second.body.total, second.body.items.map(({ data }) => data["title"])]).toEqual([2, ["One"]]);
    const found = await ask<Page>("GET", "/articles/items?q=two");
    expect(found.body.items).toMatchObject([{ owner_uid: expect.stringMatching(/^u\d+$/), data: { private: true } }]);
    expect((await ask("GET", "/articles/items?sort=no")).status).toBe(400);
    expect((await ask("GET", "/nothing/items")).status).toBe(404);
  });

  it("changes and deletes any user's item, unless it has changed meanwhile or does not fit the schema", async () => {
    const { data } = await post("/articles", { title: "Three" });
    const item = `/articles/items/${data.id}`;
    const changed = await ask<CollectionItem>("PUT", item, { version: 1, data: { title: "3", private: true } });
    expect(changed).toMatchObject({ status: 200, body: { version: 2, data: { title: "3", private: true, body: "" } } });
    expect((await ask("PUT", item, { version: 1, data: { title: "late" } })).status).toBe(412);
    const refused = await ask<{ details: object[] }>("PUT", item, { version: 2, data: { title: "" } });
    expect([refused.status, refused.body.details[0]]).toEqual([400, expect.objectContaining({ field: "title" })]);
    expect(await ask("GET", item)).toMatchObject({ body: { version: 2, data: { title: "3" } } });
    expect((await ask("DELETE", item)).status).toBe(204);
    expect((await ask("GET", item)).status).toBe(404);
  });

  it("shows a null that is stored, which an edit of another field sends back", async () => {
    await userFiles(app).load("tasks", itemSchema({ title: {}, due: { type: ["integer", "null"], default: 7 } }));
    await post("/tasks", { title: "a", due: null });
    const { data } = (await ask<Page>("GET", "/tasks/items")).body.items[0] as CollectionItem;
    expect(data).toEqual({ title: "a", due: null });
    const edited = await ask("PUT", "/tasks/items/1", { version: 1, data: { ...data, title: "b" } });
    expect(edited).toMatchObject({ status: 200, body: { data: { title: "b", due: null } } });
  });

  it("exports the nulls that are stored, and imports them where a field is required or has a default", async () => {
    const boss = { type: ["integer", "null"], "x-hearth": { ref: "staff" } };
    const fields = { name: { type: "string" }, boss, due: { type: ["integer", "null"], default: 7 } };
    const hearth = { singular: "employee" };
    await userFiles(app).load("staff", itemSchema(fields, { required: ["name", "boss"], hearth }));
    const data = { name: "Ann", boss: null, due: null, more: { deep: null, list: [null, { a: null }] } };
    await post("/staff", data);
    for (const method of ["POST", "PUT"]) {
      const before = await everything();
      expect((await askConsole(app, method, "/data", before)).status).toBe(200);
      expect((await everything()).collections["staff"]?.records).toEqual([expect.objectContaining({ data })]);
    }
  });

  it("adds an item without an owner", async () => {
    const added = await ask<CollectionItem>("POST", "/notes/items", { data: { text: "hello", pin: "1234" } });
    expect(added).toMatchObject({ status: 201, body: { owner_uid: "", data: { text: "hello" } } });
    expect((await ask("POST", "/notes/items", { data: { text: "no pin" } })).status).toBe(400);
  });

  it("shows no secret, and keeps the one that an edit does not send", async () => {
    const { items } = (await ask<Page>("GET", "/notes/items")).body;
    expect(items[0]?.data).toEqual({ text: "hello" });
    const edited = await ask("PUT", `/notes/items/${items[0]?.id}`, { version: 1, data: { text: "changed" } });
    expect(edited.status).toBe(200);
    expect((await everything()).collections["notes"]?.records[0]?.data).toEqual({ text: "changed", pin: "1234" });
  });

  it("keeps the secrets inside of what an edit sends: of an object, and of each object of a list", async () => {
    const [a, b] = [
      { name: "a", pin: "1" },
      { name: "b", pin: "2" },
    ];
    await post("/locks", { door: a, keys: [a, b] });
    const edit = async (version: number, data: object) => {
      expect(await ask("PUT", "/locks/items/1", { version, data })).toMatchObject({ status: 200, body: { data } });
      const { collections } = await everything();
      return collections["locks"]?.records[0]?.data;
    };
    const moved = await edit(1, { door: { name: "front" }, keys: [{ name: "new" }, { name: "b" }, { name: "a" }] });
    expect(moved).toEqual({ door: { name: "front", pin: "1" }, keys: [{ name: "new" }, b, a] });
    const renamed = await edit(2, { door: { name: "front" }, keys: [{ name: "new" }, { name: "B" }, { name: "a" }] });
    expect(renamed).toMatchObject({ keys: [{ name: "new" }, { name: "B", pin: "2" }, a] });
  });

  it("keeps a password as the hash that it is while another field changes, and hashes a new one", async () => {
    const { data } = await post("/accounts", { user: "bob", password: "correct horse" });
    const item = `/accounts/items/${data.id}`;
    const logIn = async (user: string, password: string) => {
      const basic = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
      return (await fetch(`${app.url}/api/accounts/me`, { headers: { authorization: basic } })).status;
    };
    expect(await ask("GET", item)).toMatchObject({ body: { data: { user: "bob" } } });
    expect((await ask("PUT", item, { version: 1, data: { user: "bobby" } })).status).toBe(200);
    expect(await logIn("bobby", "correct horse")).toBe(200);
    const changed = await ask("PUT", item, { version: 2, data: { user: "bobby", password: "battery staple" } });
    expect(changed.status).toBe(200);
    expect([await logIn("bobby", "battery staple"), await logIn("bobby", "correct horse")]).toEqual([200, 403]);
  });
});
