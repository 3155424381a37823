import { afterAll, beforeAll, expect, it } from "vitest";
import { consoleToken, startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
const names = (users: string) =>
  fetch(`${app.url}/console/api/names?users=${users}`, { headers: { Authorization: `Bearer ${consoleToken}` } });

beforeAll(async () => {
  app = await startTestApp();
  await app.loggedIn("alice");
  await app.login("bob");
});
afterAll(() => app[Symbol.asyncDispose]());

it("GET /console/api/names answers nicknames, and leaves out who is gone", async () => {
  const reply = await names("1,2,99");
  // bob has given no nickname yet: the simulator knows him
  expect(await reply.json()).toEqual({ users: { 1: "alice", 2: "bob" } });
});

it("GET /console/api/names answers 400 without ids, and for invalid ids or too many", async () => {
  const many = Array.from({ length: 101 }, (_, index) => index + 1).join();
  for (const ids of ["", "a", "1,,2", many]) expect((await names(ids)).status).toBe(400);
});
