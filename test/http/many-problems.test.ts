/** Bodies with more mistakes than anybody reads: they are refused as those with one, and no longer answer tells of them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { mostProblems } from "../../server/contract/bounded-lists.ts";
import { startRulesService, type ModelService } from "../support/model/model-service.ts";
import { consoleToken, startTestApp } from "../support/app/test-app.ts";

let app: Awaited<ReturnType<typeof startTestApp>>;
let model: ModelService;
beforeAll(async () => {
  app = await startTestApp();
  model = await startRulesService({});
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const ask = async (url: string, method: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(url, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as { error?: string; details?: unknown[] }) };
};

it("a chat of a million wrong messages is refused as one of one", async () => {
  const chat = (count: number) => ask(`${model.url}/api/chat`, "POST", { model: "m", messages: Array(count).fill(1) });
  const many = await chat(1_000_000);
  expect(many.status).toBe(400);
  expect(many).toEqual(await chat(1));
});

it.each([
  ["wrong items", { parts: Array(100_000).fill(1) }],
  [
    "unknown members",
    { parts: ["users"], ...Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`x${String(at)}`, 1])) },
  ],
])("the details of a refusal name the first of many %s", async (_what, body) => {
  const { status, details } = await ask(`${app.url}/console/api/resets`, "POST", body, {
    Authorization: `Bearer ${consoleToken}`,
  });
  expect(status).toBe(400);
  expect(details).toHaveLength(mostProblems);
});
