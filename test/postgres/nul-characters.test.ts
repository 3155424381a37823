/** PostgreSQL's texts cannot hold a NUL character: what is stored as such is refused, and what is looked for is not found. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { createMerchantV3 } from "../support/payments/merchant-v3.ts";

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  headers = await app.loggedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

it("a form's field with one is answered 400, and named", async () => {
  const body = new URLSearchParams({ df: "/a\0b", ev: "modify" });
  const reply = await fetch(`${app.url}/api/inotify/`, { method: "POST", body });
  const message = "df contains a NUL character, which the database cannot store.";
  expect([reply.status, await reply.json()]).toEqual([
    400,
    { Message: message, code: "unstorable_text", details: [{ field: "df", problem: message }] },
  ]);
});

it("an order's description with one is answered 400 and named, by the application server and by the simulator", async () => {
  const order = await app.post(`${app.url}/api/orders`, { description: "a\0b", amount: 1 }, headers);
  expect([order.status, await order.json()]).toMatchObject([400, { details: [{ field: "description" }] }]);
  const merchant = await createMerchantV3(app.provider.url);
  const placed = await merchant.place("native", "NUL_CHARACTER", { description: "a\0b" });
  expect([placed.status, placed.json]).toMatchObject([
    400,
    { code: "PARAM_ERROR", detail: { field: "/description", location: "body" } },
  ]);
});

it("a member of a JSON document keeps it, and is found by it alone", async () => {
  const made = await app.post(`${app.url}/api/articles`, { title: "one\0two", body: "b" }, headers);
  expect(made.status).toBe(201);
  const titles = async (query: string) => {
    const reply = await fetch(`${app.url}/api/articles?${query}`, { headers });
    return ((await reply.json()) as { data: { title: string }[] }).data.map(({ title }) => title);
  };
  expect(await titles("q=%00")).toEqual(["one\0two"]);
  expect(await titles("title=one%00two")).toEqual(["one\0two"]);
  expect(await titles("title=%00")).toEqual([]);
});

it("a login code with one is one that nobody has been given", async () => {
  const { app_id, app_secret } = app.provider.credentials;
  const reply = await fetch(
    `${app.provider.url}/sns/jscode2session?appid=${app_id}&secret=${app_secret}&js_code=%00&grant_type=authorization_code`,
  );
  expect(((await reply.json()) as { errcode: number }).errcode).toBe(40029);
});
