/** Changes of items by the console that are undone over its API. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CollectionItem } from "../../../../server/contract/console/data/collection-endpoints.ts";
import { askConsole, type ConsoleRefusal } from "../../../support/app/ask-console.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { itemSchema, userFiles } from "../../../support/app/user-files.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const string = { type: "string" };
  await userFiles(app).load("safes", itemSchema({ name: string, code: { ...string, writeOnly: true } }));
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = <T = ConsoleRefusal>(method: string, path: string, body?: unknown) =>
  askConsole<T>(app, method, path, body);
const items = async (collection: string) =>
  (await ask<{ items: CollectionItem[] }>("GET", `/collections/${collection}/items?sort=id`)).body.items;
const undo = (item?: object) =>
  ask<{ collection: string; id: number; undone: string }>("POST", "/undone-changes", item ? { item } : {});

it("an undo reaches no change from before a reset, after which the ids begin again", async () => {
  const path = "/collections/articles/items";
  await ask("POST", path, { data: { title: "of before" } });
  await ask("POST", "/resets", { parts: ["records"] });
  const made = await fetch(`${app.url}/api/articles`, {
    method: "POST",
    headers: { ...(await app.loggedIn()), "content-type": "application/json" },
    body: JSON.stringify({ title: "a client's" }),
  });
  expect([made.status, made.headers.get("location")]).toEqual([201, "/api/articles/1"]);
  expect((await undo()).status).toBe(404);
  expect(await items("articles")).toMatchObject([{ id: 1, data: { title: "a client's" } }]);
});

it("an undo reaches no change from before an import that replaces all data", async () => {
  await ask("POST", "/collections/articles/items", { data: { title: "of before" } });
  await ask("PUT", "/data", { format: "hearth-data/1", collections: {} });
  await fetch(`${app.url}/api/articles`, {
    method: "POST",
    headers: { ...(await app.loggedIn()), "content-type": "application/json" },
    body: JSON.stringify({ title: "a client's" }),
  });
  expect((await undo()).status).toBe(404);
  expect(await items("articles")).toMatchObject([{ data: { title: "a client's" } }]);
});

it("an undo reverts the console's changes one by one, a deletion with its secrets and its id", async () => {
  const path = "/collections/safes/items";
  await ask("POST", path, { data: { name: "one", code: "0000" } });
  await ask("PUT", `${path}/1`, { version: 1, data: { name: "two" } });
  await ask("PUT", `${path}/1`, { version: 2, data: { name: "three" } });
  await ask("DELETE", `${path}/1`);
  expect(await undo()).toMatchObject({ status: 200, body: { collection: "safes", id: 1, undone: "deleted" } });
  expect(await items("safes")).toMatchObject([{ id: 1, data: { name: "three" } }]);
  const all = await ask<{ collections: Record<string, { records: { data: object }[] }> }>(
    "GET",
    "/data?secrets=include",
  );
  expect(all.body.collections["safes"]?.records[0]?.data).toEqual({ name: "three", code: "0000" });
  await undo();
  await undo();
  expect(await items("safes")).toMatchObject([{ id: 1, data: { name: "one" } }]);
  expect(await undo()).toMatchObject({ body: { undone: "created" } });
  expect(await items("safes")).toEqual([]);
});

it("an undo reverts the last change of one item, whatever came after it", async () => {
  const path = "/collections/safes/items";
  const [first, second] = [
    (await ask<CollectionItem>("POST", path, { data: { name: "first" } })).body.id,
    (await ask<CollectionItem>("POST", path, { data: { name: "second" } })).body.id,
  ];
  await ask("DELETE", `${path}/${first}`);
  await ask("DELETE", `${path}/${second}`);
  expect(await undo({ collection: "safes", id: first })).toMatchObject({ body: { id: first, undone: "deleted" } });
  expect((await items("safes")).map(({ id }) => id)).toEqual([first]);
  expect((await undo({ collection: "safes", id: 999 })).status).toBe(404);
});

it("an undo changes no item that was changed since, and reports when nothing is left", async () => {
  const path = "/collections/safes/items";
  const { body } = await ask<CollectionItem>("POST", path, { data: { name: "mine" } });
  const headers = { ...(await app.loggedIn("alice")), "content-type": "application/json" };
  const changed = { method: "PATCH", headers, body: '{"name": "hers"}' };
  expect((await fetch(`${app.url}/api/safes/${body.id}`, changed)).status).toBe(200);
  expect((await undo()).status).toBe(412);
  expect((await items("safes")).at(-1)).toMatchObject({ data: { name: "hers" } });
  while ((await undo()).status === 200);
  expect((await undo()).status).toBe(404);
});

it("an undo that a rule forbids is kept until it is possible, and is done once", async () => {
  const path = "/collections/keys/items";
  await userFiles(app).load("keys", itemSchema({ code: { type: "string" } }, { hearth: { unique: ["code"] } }));
  const add = async () => (await ask<CollectionItem>("POST", path, { data: { code: "7" } })).body.id;
  const [first, deleted] = [{ collection: "keys", id: await add() }, "deleted"];
  await ask("DELETE", `${path}/${first.id}`);
  const second = await add();
  for (let tries = 0; tries < 2; tries++)
    expect(await undo(first)).toMatchObject({ status: 400, body: { details: [{ field: "code" }] } });
  await ask("DELETE", `${path}/${second}`);
  const undone = await Promise.all([undo(first), undo(first)]);
  expect(undone.map(({ status, body }) => [status, body.undone])).toEqual([
    [200, deleted],
    [200, "created"],
  ]);
  expect(await items("keys")).toEqual([]);
});

it("an undo reverts another change while a rule forbids that of the last one", async () => {
  const path = "/collections/keys/items";
  const add = async (code: string) => (await ask<CollectionItem>("POST", path, { data: { code } })).body.id;
  const [first, second] = [await add("1"), await add("2")];
  await ask("DELETE", `${path}/${second}`);
  await app.post(`${app.url}/api/keys`, { code: "2" }, await app.loggedIn("alice"));
  expect((await undo()).status).toBe(400);
  expect(await undo()).toMatchObject({ status: 200, body: { id: first, undone: "created" } });
  expect((await undo({ collection: "keys", id: second })).status).toBe(400);
});
