import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

interface Article {
  id: number;
  title: string;
}
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
const secondVersion = expect.stringMatching(/^"v2-/) as string;
const call = (id: number, method: string, headers: Record<string, string>, body?: object) =>
  fetch(`${app.url}/api/articles/${String(id)}`, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

it("a page of an allowed origin may read every answer, a redirect to the normal query included", async () => {
  const Origin = "http://localhost:5173";
  const response = await fetch(`${app.url}/api/articles?&page=1`, {
    headers: { ...alice, Origin },
    redirect: "manual",
  });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([302, Origin]);
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

  it("are listed by a long query with the links that fit, and refused where that to the next page does not", async () => {
    const list = (length: number, page = 1) =>
      fetch(`${app.url}/api/articles?page_size=1&page=${String(page)}&x=${"!".repeat(length)}`, { headers: alice });
    for (const title of ["one", "two"]) await app.post(`${app.url}/api/articles`, { title }, alice);
    const relations = async (length: number) =>
      [...((await list(length)).headers.get("link") ?? "").matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel);
    expect(await relations(1)).toEqual(["first", "next", "last"]);
    expect(await relations(2_000)).toEqual(["next"]);
    const refused = await list(3_000);
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: "query_too_long" }]);
    const end = await list(3_000, 1_000);
    expect([end.status, end.headers.has("link")]).toEqual([200, false]);
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

  it("takes whole numbers by their decimal digits alone, in paths and queries", async () => {
    const { id } = await create({ title: "digits" });
    const statusOf = async (path: string) => (await fetch(`${app.url}/api/articles${path}`, { headers: alice })).status;
    expect(await statusOf(`/${String(id)}`)).toBe(200);
    const spellings = [
      `0x${id.toString(16)}`,
      `${String(id)}e0`,
      `+${String(id)}`,
      `${String(id)}.0`,
      ` ${String(id)}`,
    ];
    for (const spelling of spellings.map(encodeURIComponent)) {
      expect(await statusOf(`/${spelling}`), spelling).toBe(400);
      expect(await statusOf(`?page=${spelling}`), spelling).toBe(400);
    }
  });

  it("filters by field, searches by q and sorts, and answers 400 for a sort field that does not exist", async () => {
    await using fresh = await startTestApp();
    const headers = await fresh.loggedIn();
    for (const [title, body, hidden] of [
      ["b", "100% wool", false],
      ["a", "silk", true],
      ["a", "WOOL_blend", false],
    ] as const)
      await fresh.post(`${fresh.url}/api/articles`, { title, body, private: hidden }, headers);
    const ids = async (query: string) => {
      const { data } = (await (await fetch(`${fresh.url}/api/articles?${query}`, { headers })).json()) as {
        data: Article[];
      };
      return data.map(({ id }) => id);
    };
    expect(await ids("title=a")).toEqual([3, 2]);
    expect(await ids("private=true")).toEqual([2]);
    expect(await ids("body=silk")).toEqual([2]);
    const one = await (await fetch(`${fresh.url}/api/articles/1`, { headers })).json();
    const { owner_uid, created_at } = (one as { data: { owner_uid: string; created_at: string } }).data;
    expect(await ids(`id=1&owner_uid=${owner_uid}&created_at=${created_at}&updated_at=${created_at}`)).toEqual([1]);
    expect(await ids(`owner_uid=${owner_uid}&title=a`)).toEqual([3, 2]);
    expect(await ids("owner_uid=u999")).toEqual([]);
    expect(await ids("created_at=2001-01-01T00:00:00Z")).toEqual([]);
    for (const query of [
      "id=x",
      "id=01",
      "id=1e30",
      "owner_uid=ada",
      "owner_uid=u0",
      "owner_uid=u01",
      `owner_uid=u${"9".repeat(30)}`,
      "updated_at=Nov 1",
      "created_at=2026-02-30T00:00:00Z",
      "updated_at=2025-02-29T00:00:00Z",
    ]) {
      const refused = await fetch(`${fresh.url}/api/articles?${query}`, { headers });
      const details = [expect.objectContaining({ field: query.split("=")[0] })];
      expect([refused.status, await refused.json()], query).toEqual([
        400,
        expect.objectContaining({ code: "bad_filter", details }),
      ]);
    }
    expect(await ids("q=wool")).toEqual([3, 1]);
    expect(await ids("q=100%25")).toEqual([1]);
    expect(await ids("q=wool_")).toEqual([3]);
    expect(await ids("sort=title,id")).toEqual([2, 3, 1]);
    const bad = await fetch(`${fresh.url}/api/articles?sort=password`, { headers });
    expect([bad.status, await bad.json()]).toEqual([
      400,
      expect.objectContaining({ details: [expect.objectContaining({ field: "sort" })] }),
    ]);
    expect((await fetch(`${fresh.url}/api/articles?private=perhaps`, { headers })).status).toBe(400);
  });

  it("answers 304 to the version that the client has, and 412 to a change of an older one", async () => {
    const response = await app.post(`${app.url}/api/articles`, { title: "etag" }, alice);
    const { data } = (await response.json()) as { data: Article };
    const etag = response.headers.get("etag") ?? "";
    const unchanged = await call(data.id, "GET", { ...alice, "If-None-Match": etag });
    expect([unchanged.status, await unchanged.text(), unchanged.headers.has("status-package")]).toEqual([
      304,
      "",
      true,
    ]);
    const changed = await call(data.id, "PATCH", { ...alice, "If-Match": etag }, { title: "newer" });
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, secondVersion]);
    const late = await call(data.id, "PUT", { ...alice, "If-Match": etag }, { title: "lost update" });
    expect([late.status, await late.json()]).toEqual([412, expect.objectContaining({ code: "changed_since" })]);
    expect((await call(data.id, "GET", { ...alice, "If-None-Match": etag })).status).toBe(200);
    expect((await call(data.id, "GET", { ...alice, "If-Match": etag })).status).toBe(412);
  });

  it.each(["PUT", "PATCH", "DELETE"])("answers 412 to a %s that If-None-Match excludes", async (method) => {
    const { id } = await create({ title: "there" });
    const etag = (await call(id, "GET", alice)).headers.get("etag") ?? "";
    for (const excluded of ["*", etag]) {
      const refused = await call(id, method, { ...alice, "If-None-Match": excluded }, { title: "new" });
      expect([refused.status, await refused.json()]).toEqual([
        412,
        expect.objectContaining({ code: "precondition_failed" }),
      ]);
    }
    expect(await (await call(id, "GET", alice)).json()).toMatchObject({ data: { title: "there" } });
  });

  it("takes changes of many requests at the same moment, and deletes what it has once", async () => {
    const { id } = await create({ title: "shared" });
    const many = Array.from({ length: 12 }, (_, n) => n);
    const fields = [{ title: "new" }, { body: "new" }, { private: true }];
    const changed = await Promise.all(many.map((n) => call(id, "PATCH", alice, fields[n % fields.length])));
    expect(new Set(changed.map(({ status }) => status))).toEqual(new Set([200]));
    const after = await call(id, "GET", alice);
    expect(await after.json()).toMatchObject({ data: { title: "new", body: "new", private: true } });
    expect(after.headers.get("etag")).toMatch(/^"v13-/);
    const deleted = await Promise.all(many.map(() => call(id, "DELETE", alice)));
    expect(deleted.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 11 }, () => 404)]);
  });

  it("PUT answers 204 with an empty body when the client prefers a minimal reply, whatever it accepts", async () => {
    const { id } = await create({ title: "minimal" });
    const headers = { ...alice, Prefer: "return=minimal", Accept: "text/plain" };
    const response = await call(id, "PUT", headers, { title: "changed" });
    expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([204, "", secondVersion]);
  });

  it("PATCH is a merge patch: null takes a member back to its default, and the result must be valid", async () => {
    const { id } = await create({ title: "patched", body: "text", private: true });
    const patch = async (body: object) => {
      const response = await call(id, "PATCH", { ...alice, "Content-Type": "application/merge-patch+json" }, body);
      return [response.status, ((await response.json()) as { data?: object }).data];
    };
    expect(await patch({ body: null, private: false })).toEqual([
      200,
      expect.objectContaining({ title: "patched", body: "", private: false }),
    ]);
    expect((await patch({ title: null }))[0]).toBe(400);
  });

  it("never gives an id out twice", async () => {
    const first = await create({ title: "gone" });
    await call(first.id, "DELETE", alice);
    expect((await create({ title: "next" })).id).toBeGreaterThan(first.id);
  });
});
