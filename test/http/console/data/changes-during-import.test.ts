/** An import checks its items while others are served: what is changed meanwhile must not be lost. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { askConsole } from "../../../support/app/ask-console.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { itemSchema } from "../../../support/app/user-files.ts";

let app: TestApp;
let alice: Record<string, string>;
beforeEach(async () => {
  app = await startTestApp();
  alice = await app.loggedIn("alice");
});
afterEach(() => app[Symbol.asyncDispose]());

interface Document {
  collections: Record<string, { records: { id: number; data: Record<string, unknown> }[] }>;
}
const ask = <T>(method: string, path: string, body?: unknown) => askConsole<T>(app, method, path, body);
const numbers = Array.from({ length: 10_000 }, (_, at) => at + 1);
const created_at = "2026-01-02T03:04:05.678Z";
const documentOf = (data: (id: number) => object) => ({
  format: "hearth-data/1",
  collections: {
    grains: {
      records: numbers.map((id) => {
        return { id, owner_uid: "u1", version: 1, created_at, updated_at: created_at, data: data(id) };
      }),
    },
  },
});
const textOf = (type: string) =>
  JSON.stringify(itemSchema({ at: { type }, pin: { type: "string", writeOnly: true } }, { required: ["pin"] }));

it.each(["PUT", "POST"])("an import by %s keeps the secrets that are changed meanwhile", async (method) => {
  await ask("PUT", "/collections/grains/schema", { text: textOf("integer") });
  const first = await ask(
    "PUT",
    "/data",
    documentOf((at) => ({ at, pin: "old" })),
  );
  expect(first.status).toBe(200);
  let isDone = false;
  const imported = ask(
    method,
    "/data",
    documentOf((at) => ({ at })),
  ).finally(() => (isDone = true));
  const changed: number[] = [];
  for (const id of numbers) {
    if (isDone) break;
    const response = await fetch(`${app.url}/api/grains/${String(id)}`, {
      method: "PATCH",
      headers: { ...alice, "Content-Type": "application/json" },
      body: JSON.stringify({ pin: "new" }),
    });
    if (response.status === 200) changed.push(id);
  }
  expect((await imported).status).toBe(200);
  const { body } = await ask<Document>("GET", "/data?secrets=include");
  const kept = new Set(
    body.collections["grains"]?.records.flatMap(({ id, data }) => (data["pin"] === "new" ? [id] : [])),
  );
  expect(changed.filter((id) => !kept.has(id))).toEqual([]);
});

it.each([
  ["POST", "/collections/grains/imports", { items: numbers.map((at) => ({ at, pin: "p" })) }],
  ["PUT", "/data", documentOf((at) => ({ at, pin: "p" }))],
])("stores by %s %s no items that do not fit a schema saved meanwhile", async (method, path, body) => {
  await ask("PUT", "/collections/grains/schema", { text: textOf("integer") });
  const imported = ask(method, path, body);
  await ask("PUT", "/collections/grains/schema", { text: textOf("string") });
  await imported;
  const {
    body: { text },
  } = await ask<{ text: string }>("GET", "/collections/grains/schema");
  expect((await ask("POST", "/collections/grains/schema-checks", { text })).body).toMatchObject({ misfits: 0 });
});
