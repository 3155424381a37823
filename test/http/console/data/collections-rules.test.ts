/** The rules that keep items consistent hold for what the console writes, too, with the errors of the public API. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CollectionItem } from "../../../../server/contract/console/data/collection-endpoints.ts";
import type { SchemaCheck } from "../../../../server/contract/console/data/schema-endpoints.ts";
import { askConsole, type ConsoleRefusal } from "../../../support/app/ask-console.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { itemSchema, userFiles } from "../../../support/app/user-files.ts";

let app: TestApp;
let alice: Record<string, string>;
const draftSchema = itemSchema(
  { title: { type: "string" }, draft: { type: "boolean" } },
  { hearth: { private: "draft" } },
);
beforeAll(async () => {
  app = await startTestApp({ settings: { raffle_draw_ms: 1 } });
  alice = await app.loggedIn("alice");
  await userFiles(app).load("stories", draftSchema);
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = <T = ConsoleRefusal>(method: string, path: string, body?: unknown) =>
  askConsole<T>(app, method, `/${path}`, body);
const refusal = ({ status, body }: { status: number; body: ConsoleRefusal }) => [
  status,
  body.code,
  (body.details as ConsoleRefusal["details"] | undefined)?.map(({ field }) => field),
];
async function post(path: string, body: object): Promise<number> {
  const reply = await app.post(`${app.url}/api/${path}`, body, alice);
  return ((await reply.json()) as { data: { id: number } }).data.id;
}

const raffle = { title: "one", entries: ["a", "b"], prizes: 2 };

it("the console moves no winner of a raffle and takes back no drawn prize", async () => {
  const id = await post("raffles", raffle);
  const path = `collections/raffles/items/${id}`;
  expect((await app.post(`${app.url}/api/raffles/${id}/draws`, undefined, alice)).status).toBe(201);
  const moved = await ask("PUT", path, { version: 2, data: { ...raffle, entries: ["x", "y"] } });
  expect(refusal(moved)).toEqual([403, "already_drawn", ["entries"]]);
  expect((await app.post(`${app.url}/api/raffles/${id}/draws`, undefined, alice)).status).toBe(201);
  const fewer = await ask("PUT", path, { version: 3, data: { ...raffle, prizes: 1 } });
  expect(refusal(fewer)).toEqual([403, "already_drawn", ["prizes"]]);
  expect((await ask("PUT", path, { version: 3, data: { ...raffle, title: "two" } })).status).toBe(200);
  const { body } = await ask<CollectionItem>("GET", path);
  expect(body.data).toMatchObject({ title: "two", winners: [{ prize: 1 }, { prize: 2 }] });
});

it("the console writes no winners into a raffle without any", async () => {
  const winners = [{ prize: 1, entry: 0, winner: "a", drawn_at: "2026-11-20T08:30:00.000Z" }];
  const { body } = await ask<CollectionItem>("POST", "collections/raffles/items", { data: { ...raffle, winners } });
  await ask("PUT", `collections/raffles/items/${body.id}`, { version: 1, data: { ...raffle, winners } });
  const read = await fetch(`${app.url}/api/raffles/${body.id}`, { headers: alice });
  expect(await read.json()).toMatchObject({ data: { winners: [] } });
});

it("the console reports that an item has changed before any other problem", async () => {
  const id = await post("raffles", raffle);
  await app.post(`${app.url}/api/raffles/${id}/draws`, undefined, alice);
  const late = await ask("PUT", `collections/raffles/items/${id}`, {
    version: 1,
    data: { ...raffle, entries: ["x", "y"] },
  });
  expect(refusal(late)).toEqual([412, "changed_since", undefined]);
});

it("the console makes no item that nobody could read, whichever operation is used", async () => {
  for (const [collection, field] of [
    ["articles", "private"],
    ["stories", "draft"],
  ] as const) {
    const path = `collections/${collection}/items`;
    const hidden = { title: "hidden", [field]: true };
    expect(refusal(await ask("POST", path, { data: hidden }))).toEqual([400, "private_without_owner", [field]]);
    const { body } = await ask<CollectionItem>("POST", path, { data: { title: "open", [field]: false } });
    const closing = await ask("PUT", `${path}/${body.id}`, { version: 1, data: hidden });
    expect(refusal(closing)).toEqual([400, "private_without_owner", [field]]);
    const own = await post(collection, { title: "hers" });
    expect((await ask("PUT", `${path}/${own}`, { version: 1, data: hidden })).status).toBe(200);
  }
  const many = await ask("POST", "collections/stories/imports", {
    items: [{ title: "a" }, { title: "b", draft: true }],
  });
  expect(refusal(many)).toEqual([400, "invalid_data", ["items.1.draft"]]);

  const account = await ask("POST", "collections/accounts/items", { data: { user: "bob", password: "correct horse" } });
  expect(refusal(account).slice(0, 2)).toEqual([400, "private_without_owner"]);
});

it("the console names stored items that nobody could read after a change of the schema", async () => {
  const { "x-hearth": _, ...open } = draftSchema as Record<string, unknown>;
  await userFiles(app).load("essays", open);
  await ask("POST", "collections/essays/items", { data: { title: "nobody's", draft: true } });
  await post("essays", { title: "hers", draft: true });
  const text = JSON.stringify(draftSchema);
  const checked = await ask<SchemaCheck>("POST", "collections/essays/schema-checks", { text });
  expect(checked.body).toMatchObject({ misfits: 1, examples: [{ id: 1, field: "draft" }] });
});
