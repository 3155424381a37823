import { afterAll, beforeAll, expect, it } from "vitest";
import { consoleToken, startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
let alice: Record<string, string>;
const names = (query: string) =>
  fetch(`${app.url}/console/api/names?${query}`, { headers: { Authorization: `Bearer ${consoleToken}` } });

beforeAll(async () => {
  app = await startTestApp();
  alice = await app.loggedIn("alice");
  await app.login("bob");
});
afterAll(() => app[Symbol.asyncDispose]());

it("GET /console/api/names answers nicknames, descriptions and titles, and leaves out what is gone or has none", async () => {
  await app.post(`${app.url}/api/articles`, { title: "Harbour news" }, alice);
  await app.post(`${app.url}/api/orders`, { description: "Green tea", amount: 100 }, alice);
  const reply = await names("users=1,2,99&orders=1,7&items=articles/1,articles/5,nowhere/1");
  expect(await reply.json()).toEqual({
    users: { 1: "alice", 2: "bob" }, // bob has given no nickname yet: the simulator knows him
    orders: { 1: "Green tea" },
    items: { "articles/1": "Harbour news" },
  });
});

it("GET /console/api/names answers no names without ids, and 400 for invalid ids or too many", async () => {
  expect(await (await names("")).json()).toEqual({ users: {}, orders: {}, items: {} });
  const many = Array.from({ length: 101 }, (_, index) => index + 1).join();
  for (const query of ["users=a", "users=1,,2", "items=articles", `orders=${many}`])
    expect((await names(query)).status).toBe(400);
});
