/** The versions of an item whose id is used again by an import: no edit and no undo takes one content for another. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CollectionItem } from "../../../server/contract/console/data/collection-endpoints.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { authorized } from "../../support/app/user-files.ts";

let app: TestApp;
let alice: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  alice = await app.loggedIn("alice");
});
afterAll(() => app[Symbol.asyncDispose]());

async function send(method: string, path: string, body?: unknown) {
  const reply = await fetch(`${app.url}${path}`, {
    method,
    headers: { ...(path.startsWith("/console") ? authorized : alice), "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
}
const items = "/console/api/collections/articles/items";
const find = async (id: number) => {
  const { status, body } = await send("GET", `${items}/${id}`);
  return status === 200 ? (body as CollectionItem) : undefined;
};
const create = async (title: string) => ((await send("POST", items, { data: { title } })).body as CollectionItem).id;
const undo = async (id: number) =>
  (await send("POST", "/console/api/undone-changes", { item: { collection: "articles", id } })).status;

async function merge(id: number, version: number, title: string): Promise<void> {
  const at = "2026-01-02T03:04:05.678Z";
  const record = { id, owner_uid: "", version, created_at: at, updated_at: at, data: { title } };
  const document = { format: "hearth-data/1", collections: { articles: { records: [record] } } };
  expect((await send("POST", "/console/api/data", document)).status).toBe(200);
}

it("POST /console/api/undone-changes answers 412 for an item that an import has put in the place of another", async () => {
  const created = await create("created here");
  await send("DELETE", `/api/articles/${created}`);
  await merge(created, 1, "imported");
  expect([await undo(created), (await find(created))?.data]).toMatchObject([412, { title: "imported" }]);

  const changed = await create("made here");
  await send("PUT", `${items}/${changed}`, { version: 1, data: { title: "changed here" } });
  await send("DELETE", `${items}/${changed}`);
  await merge(changed, 2, "imported");
  expect([await undo(changed), await undo(changed), await undo(changed)]).toEqual([412, 412, 412]);
  expect((await find(changed))?.data).toMatchObject({ title: "imported" });
});

it("PUT of an item in the console answers 412 when an import has put another one in its place since", async () => {
  const id = await create("read here");
  await send("DELETE", `/api/articles/${id}`);
  await merge(id, 1, "imported");
  expect((await send("PUT", `${items}/${id}`, { version: 1, data: { title: "edited" } })).status).toBe(412);
});

it("never uses a version again for another content, whatever comes after what", async () => {
  let made = 0;
  const steps: Record<string, (id: number, version: number) => Promise<unknown>> = {
    "a client's change": (id) => send("PUT", `/api/articles/${id}`, { title: `client ${made}` }),
    "a client's deletion": (id) => send("DELETE", `/api/articles/${id}`),
    "a change": async (id) =>
      send("PUT", `${items}/${id}`, { version: (await find(id))?.version ?? 1, data: { title: `console ${made}` } }),
    "a deletion": (id) => send("DELETE", `${items}/${id}`),
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
