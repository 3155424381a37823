/** Many items are checked while everybody else is served. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { askConsole } from "../../../support/app/ask-console.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { itemSchema } from "../../../support/app/user-files.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = <T>(method: string, path: string, body?: unknown) => askConsole<T>(app, method, path, body);
/** So many conditions that the items take many turns, however fast the machine is. */
const conditions = Array.from({ length: 300 }, (_, at) => ({ properties: { at: { minimum: -at } } }));
const text = JSON.stringify(itemSchema({ at: { type: "integer" } }, { allOf: conditions }));
const items = Array.from({ length: 3_000 }, (_, at) => ({ at }));
const created_at = "2026-01-02T03:04:05.678Z";
const records = items.map((data, index) => {
  return { id: index + 1, owner_uid: "", version: 1, created_at, updated_at: created_at, data };
});
const document = { format: "hearth-data/1", collections: { grains: { records } } };

/** Does something, and asks meanwhile, one call after the other. @returns its answer, and how many others came before it */
async function amongOthers<T>(act: () => Promise<T>): Promise<{ answer: T; others: number }> {
  let answer: T | undefined;
  const acting = act().then((value) => (answer = value));
  let others = 0;
  while (answer === undefined) {
    expect((await fetch(`${app.url}/livez`)).status).toBe(200);
    others++;
  }
  return { answer: await acting, others };
}

it("the server adds, imports and checks many items while it answers other requests", async () => {
  await ask("PUT", "/collections/grains/schema", { text });
  for (const [method, path, body, expected] of [
    ["POST", "/collections/grains/imports", { items }, { status: 201, body: { added: items.length } }],
    ["PUT", "/data", document, { status: 200, body: { records: items.length } }],
    ["POST", "/collections/grains/schema-checks", { text }, { status: 200, body: { misfits: 0 } }],
  ] as const) {
    const { answer, others } = await amongOthers(() => ask(method, path, body));
    expect(answer).toMatchObject(expected);
    expect(others).toBeGreaterThan(2);
  }
});
