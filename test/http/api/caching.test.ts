import { afterAll, beforeAll, expect, it } from "vitest";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  headers = await app.loggedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const varies = (reply: Response) => (reply.headers.get("vary") ?? "").split(", ").sort();
const byToken = ["Authorization", "X-Access-Token"];

it("no shared cache may keep a reply of a business endpoint, nor its errors", async () => {
  const created = await app.post(`${app.url}/api/articles`, { title: "a" }, headers);
  const at = app.url + (created.headers.get("location") ?? "");
  const known = { ...headers, "If-None-Match": (await fetch(at, { headers })).headers.get("etag") ?? "" };
  const replies = [
    [200, await fetch(at, { headers })],
    [200, await fetch(at, { method: "HEAD", headers })],
    [304, await fetch(at, { headers: known })],
    [401, await fetch(at)],
    [404, await fetch(`${app.url}/api/articles/987654321`, { headers })],
    [406, await fetch(at, { headers: { ...headers, Accept: "image/png" } })],
    [400, await fetch(`${app.url}/api/articles?page_size=x`, { headers })],
    [400, await fetch(`${app.url}/api/articles?access_token=a`)],
    [401, await fetch(`${app.url}/api/uploads/1/content`)],
    [401, await app.post(`${app.url}/api/sessions`, { code: "unknown" })],
  ] as const;
  for (const [status, reply] of replies) {
    expect([reply.status, reply.headers.get("cache-control")], reply.url).toEqual([status, "private, no-cache"]);
    expect(varies(reply), reply.url).toEqual(expect.arrayContaining(["Accept", ...byToken]));
    expect(new Set(varies(reply)).size).toBe(varies(reply).length);
  }
});

it("no cache may keep a phone number (spec: Status package 2)", async () => {
  for (const method of ["GET", "HEAD"]) {
    const reply = await fetch(`${app.url}/api/phonenumbers/mine`, { method, headers });
    expect([reply.status, reply.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(varies(reply)).toEqual(expect.arrayContaining(byToken));
  }
});

it("no shared cache may keep a refusal, also where no operation is reached", async () => {
  const refused = async (path: string, method: string, more: Record<string, string> = {}) => {
    const { status, headers: answered } = await fetch(app.url + path, { method, headers: more });
    return [status, answered.get("cache-control")];
  };
  const own = "private, no-cache";
  expect(await refused("/api/articles", "PUT", headers)).toEqual([405, own]);
  expect(await refused("/api/nothing", "GET", headers)).toEqual([404, own]);
  expect(await refused("/console/api/requests", "GET")).toEqual([401, own]);
  expect(await refused("/console/api/nothing", "GET", { Authorization: `Bearer ${consoleToken}` })).toEqual([404, own]);
  expect(await refused("/console/api/requests", "PUT", { Authorization: `Bearer ${consoleToken}` })).toEqual([
    405,
    own,
  ]);
  expect(await refused("/swagger/docs/v1", "POST")).toEqual([405, own]);
});

it("a 404 and a 405 vary by Accept", async () => {
  for (const [path, method] of [
    ["/api/nothing", "GET"],
    ["/api/articles", "PUT"],
  ] as const)
    expect(varies(await fetch(app.url + path, { method, headers }))).toContain("Accept");
});
