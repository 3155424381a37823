/** Many items are checked while everybody else is served. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { askConsole } from "../../support/app/ask-console.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { itemSchema } from "../../support/app/user-files.ts";
import { leavingLoopFree, loopDelay } from "../../support/busy-loop.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = <T>(method: string, path: string, body?: unknown) => askConsole<T>(app, method, path, body);
const text = (more: object = {}) => JSON.stringify(itemSchema({ at: { type: "integer" } }, { hearth: more }));
const items = Array.from({ length: 15_000 }, (_, at) => ({ at }));
const created_at = "2026-01-02T03:04:05.678Z";
const records = items.map((data, index) => {
  return { id: index + 1, owner_uid: "", version: 1, created_at, updated_at: created_at, data };
});
const document = { format: "hearth-data/1", collections: { grains: { records } } };

it(
  "adds, imports and checks many items, and seeds with them, while it answers others",
  { timeout: 120_000 },
  async () => {
    await ask("PUT", "/collections/grains/schema", { text: text() });
    for (const [method, path, body, answer] of [
      ["POST", "/collections/grains/imports", { items }, { status: 201, body: { added: items.length } }],
      ["PUT", "/data", document, { status: 200, body: { records: items.length } }],
      ["POST", "/collections/grains/schema-checks", { text: text() }, { status: 200, body: { misfits: 0 } }],
      [
        "POST",
        "/collections/seeds/schema-checks",
        { text: text({ seed: items.slice(0, 10_000), unique: ["at"] }) },
        { status: 200, body: { misfits: 0 } },
      ],
    ] as const)
      expect(await leavingLoopFree(() => ask(method, path, body), loopDelay())).toMatchObject(answer);
  },
);
