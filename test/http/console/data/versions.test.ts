/** The versions of an item whose id is used again by an import: no edit and no undo takes one content for another. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CollectionItem } from "../../../../server/contract/console/data/collection-endpoints.ts";
import { askConsole } from "../../../support/app/ask-console.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
let alice: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  alice = await app.loggedIn("alice");
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = <T>(method: string, path: string, body?: unknown) => askConsole<T>(app, method, path, body);
const asAlice = (method: string, path: string, body?: unknown) =>
  fetch(`${app.url}/api${path}`, {
    method,
    headers: { ...alice, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const items = "/collections/articles/items";
const find = async (id: number) => {
  const { status, body } = await ask<CollectionItem>("GET", `${items}/${id}`);
  return status === 200 ? body : undefined;
};
const create = async (title: string) =>
  (await ask<CollectionItem>("POST", items, { data: { title } })).body.id as number;
const undo = async (id: number) =>
  (await ask("POST", "/undone-changes", { item: { collection: "articles", id } })).status;

async function merge(id: number, version: number, title: string): Promise<void> {
  const at = "2026-01-02T03:04:05.678Z";
  const record = { id, owner_uid: "", version, created_at: at, updated_at: at, data: { title } };
  const document = { format: "hearth-data/1", collections: { articles: { records: [record] } } };
  expect((await ask("POST", "/data", document)).status).toBe(200);
}

it("POST /console/api/undone-changes answers 412 for an item that an import has put in the place of another", async () => {
  const created = await create("created here");
  await asAlice("DELETE", `/articles/${created}`);
  await merge(created, 1, "imported");
  expect([await undo(created), (await find(created))?.data]).toMatchObject([412, { title: "imported" }]);

  const changed = await create("made here");
  await ask("PUT", `${items}/${changed}`, { version: 1, data: { title: "changed here" } });
  await ask("DELETE", `${items}/${changed}`);
  await merge(changed, 2, "imported");
  expect([await undo(changed), await undo(changed), await undo(changed)]).toEqual([412, 412, 412]);
  expect((await find(changed))?.data).toMatchObject({ title: "imported" });
});

it("PUT of an item in the console answers 412 when an import has put another one in its place since", async () => {
  const id = await create("read here");
  await asAlice("DELETE", `/articles/${id}`);
  await merge(id, 1, "imported");
  expect((await ask("PUT", `${items}/${id}`, { version: 1, data: { title: "edited" } })).status).toBe(412);
});

it("PUT of an item in the console answers 412 when another one has its version since a reset or an import that replaces", async () => {
  const edit = (id: number, { version, updated_at }: CollectionItem) =>
    ask("PUT", `${items}/${id}`, { version, updated_at, data: { title: "edited" } });
  const id = await create("read here");
  const read = (await find(id)) as CollectionItem;
  const at = "2026-01-02T03:04:05.678Z";
  const record = { id, owner_uid: "", version: read.version, created_at: at, updated_at: at, data: { title: "other" } };
  const document = { format: "hearth-data/1", collections: { articles: { records: [record] } } };
  expect((await ask("PUT", "/data", document)).status).toBe(200);
  const other = (await find(id)) as CollectionItem;
  expect([other.version, (await edit(id, read)).status]).toEqual([read.version, 412]);
  expect((await edit(id, other)).status).toBe(200);
});

it("no version of an item is ever used again for another content, whatever the order of changes", async () => {
  let made = 0;
  const steps: Record<string, (id: number, version: number) => Promise<unknown>> = {
    "a client's change": (id) => asAlice("PUT", `/articles/${id}`, { title: `client ${made}` }),
    "a client's deletion": (id) => asAlice("DELETE", `/articles/${id}`),
    "a change": async (id) =>
      ask("PUT", `${items}/${id}`, { version: (await find(id))?.version ?? 1, data: { title: `console ${made}` } }),
    "a deletion": (id) => ask("DELETE", `${items}/${id}`),
    "an import": (id, version) => merge(id, version, `import ${made}`),
    "an undo": undo,
  };
  const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.integer({ min: 1, max: 6 }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (order) => {
      const id = await create("first");
      let last = 1;
      const seen = new Map<number, unknown>([[1, "first"]]);
      for (const [name, version] of order) {
        made++;
        await steps[name]?.(id, version);
        const item = await find(id);
        if (!item) continue;
        expect(item.version).toBeGreaterThanOrEqual(last);
        last = item.version;
        const { title } = item.data;
        expect([item.version, seen.get(item.version) ?? title]).toEqual([item.version, title]);
        seen.set(item.version, title);
      }
    }),
    { numRuns: 40 },
  );
});
