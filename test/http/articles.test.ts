import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Article } from "../../server/contract/articles.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

let app: TestApp;
let alice: Record<string, string>;
let bob: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  [alice, bob] = [await app.loggedIn("alice"), await app.loggedIn("bob")];
});
afterAll(() => app[Symbol.asyncDispose]());

const create = async (fields: object, headers = alice) =>
  ((await (await app.post(`${app.url}/api/articles`, fields, headers)).json()) as { data: Article }).data;
const call = (id: number, method: string, headers: Record<string, string>, body?: object) =>
  fetch(`${app.url}/api/articles/${String(id)}`, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

describe("articles", () => {
  it("POST answers 201 with Location, the article and the status package", async () => {
    const response = await app.post(`${app.url}/api/articles`, { title: "Grüße 图" }, alice);
    expect(response.status).toBe(201);
    const { data, status } = (await response.json()) as { data: Article; status: object };
    expect(data).toMatchObject({ title: "Grüße 图", body: "", private: false });
    expect(response.headers.get("location")).toBe(`/api/articles/${String(data.id)}`);
    expect(status).toHaveProperty("access_token");
  });

  it("PUT replaces, PATCH changes what it names, DELETE answers 204 with the package in a header", async () => {
    const { id } = await create({ title: "a", body: "b", private: true });
    expect(await (await call(id, "PUT", alice, { title: "c" })).json()).toMatchObject({
      data: { title: "c", body: "", private: false },
    });
    expect(await (await call(id, "PATCH", alice, { body: "d" })).json()).toMatchObject({
      data: { title: "c", body: "d" },
    });
    const deleted = await call(id, "DELETE", alice);
    expect(deleted.status).toBe(204);
    const carried = Buffer.from(deleted.headers.get("status-package") ?? "", "base64url").toString();
    expect(JSON.parse(carried)).toHaveProperty("access_token");
    expect((await call(id, "GET", alice)).status).toBe(404);
  });

  it("answers 403 for another's private article and for changing or deleting another's, 404 where there is none", async () => {
    const { id } = await create({ title: "mine", private: true });
    const shared = await create({ title: "ours" });
    expect((await call(id, "GET", bob)).status).toBe(403);
    expect((await call(shared.id, "GET", bob)).status).toBe(200);
    for (const method of ["PUT", "PATCH"])
      expect((await call(shared.id, method, bob, { title: "x" })).status).toBe(403);
    expect((await call(shared.id, "DELETE", bob)).status).toBe(403);
    expect((await call(999_999, "GET", bob)).status).toBe(404);
  });

  it("lists what the caller may read in pages, newest first, with Link and X-Total-Count", async () => {
    await using fresh = await startTestApp();
    const [carol, dave] = [await fresh.loggedIn("carol"), await fresh.loggedIn("dave")];
    for (const title of ["1", "2", "3"]) await fresh.post(`${fresh.url}/api/articles`, { title }, carol);
    await fresh.post(`${fresh.url}/api/articles`, { title: "secret", private: true }, carol);
    const response = await fetch(`${fresh.url}/api/articles?page=1&page_size=2`, { headers: dave });
    const { data } = (await response.json()) as { data: Article[] };
    expect(data.map(({ title }) => title)).toEqual(["3", "2"]);
    expect(response.headers.get("x-total-count")).toBe("3");
    expect(response.headers.get("link")).toContain('</api/articles?page=2&page_size=2>; rel="next"');
  });

  it("answers 400 for a page size over the limit and for a title that is missing or too long", async () => {
    const over = await fetch(`${app.url}/api/articles?page_size=101`, { headers: alice });
    expect([over.status, await over.json()]).toEqual([
      400,
      expect.objectContaining({ details: [expect.objectContaining({ field: "page_size" })] }),
    ]);
    for (const body of [{}, { title: "" }, { title: "x".repeat(201) }])
      expect((await app.post(`${app.url}/api/articles`, body, alice)).status).toBe(400);
  });
});
