import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RequestPage } from "../../../../server/contract/console/traffic/requests.ts";
import { requestText } from "../../../support/app/raw-request.ts";
import { authorized, recordedCalls } from "../../../support/app/recorded-calls.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
let alice: Record<string, string>;
const { recorded, list, newest, clear } = recordedCalls(() => app);
const createArticle = (title: string) => app.post(`${app.url}/api/articles`, { title }, alice);

beforeAll(async () => {
  app = await startTestApp();
  alice = await app.loggedIn("alice");
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(clear);

describe("what is recorded", () => {
  it("holds method, path, query, status, times, sizes, headers, bodies, session and client of a request", async () => {
    const body = JSON.stringify({ title: "图书馆" });
    const response = await fetch(`${app.url}/api/articles?pretty&x=%E5%9B%BE`, {
      method: "POST",
      headers: { ...alice, "Content-Type": "application/json", "X-Request-Id": "my-own-id" },
      body,
    });
    const answer = await response.text();
    const one = await newest();
    expect(one).toMatchObject({
      service: "app",
      method: "POST",
      path: "/api/articles",
      query: "pretty&x=%E5%9B%BE",
      status: 201,
      complete: true,
      request_size: Buffer.byteLength(body),
      response_size: Buffer.byteLength(answer),
      uid: "u1",
      client: "127.0.0.1",
      request_id: "my-own-id",
    });
    expect(one.session_id).toBeGreaterThan(0);
    expect(one.ms).toBeGreaterThan(0);
    expect(Math.abs(app.clock.now() - Date.parse(one.time))).toBeLessThan(60_000);
    expect(one.request.body).toEqual({ size: Buffer.byteLength(body), truncated: false, text: body });
    expect(JSON.parse(one.response.body.text ?? "")).toMatchObject({ data: { title: "图书馆" } });
    const names = (headers: { name: string }[]) => headers.map(({ name }) => name.toLowerCase());
    expect(names(one.request.headers)).toEqual(expect.arrayContaining(["content-type", "authorization", "host"]));
    expect(names(one.response.headers)).toEqual(expect.arrayContaining(["location", "etag", "x-request-id"]));
  });

  it("holds what a request was refused by, and the stack of the exception behind a 500", async () => {
    await fetch(`${app.url}/api/articles`);
    expect((await newest()).error).toMatchObject({ code: "login_required" });
    await app.db.schema.alterTable("records").renameTo("elsewhere").execute();
    try {
      expect((await fetch(`${app.url}/api/articles`, { method: "POST", headers: alice, body: "{}" })).status).toBe(415);
      expect((await createArticle("lost")).status).toBe(500);
    } finally {
      await app.db.schema.alterTable("elsewhere").renameTo("records").execute();
    }
    const { error, status, response } = await newest();
    expect([status, error?.code]).toEqual([500, "internal_error"]);
    expect(error?.stack).toMatch(/\brecords\b[^]*at .*\.[jt]s/);
    expect(response.body.text).not.toContain("records");
  });

  it("holds the line of the source that threw", async () => {
    const stop = app.bus.subscribe(({ type }) => {
      if (type === "resource.created") throw new Error("broken on purpose");
    });
    await createArticle("unlucky");
    stop();
    const { error, error_source } = await newest();
    expect(error?.stack).toContain("broken on purpose");
    const { file, line = 0, first_line = 0, lines = [] } = error_source ?? {};
    expect([file, lines[line - first_line]]).toEqual([
      "test/http/console/traffic/requests.test.ts",
      expect.stringContaining('throw new Error("broken on purpose")'),
    ]);
  });

  it("is every request but those of the console and the health check, 404, 405 and refused hosts included", async () => {
    await fetch(`${app.url}/nothing`);
    await fetch(`${app.url}/api/articles`, { method: "DELETE", headers: alice });
    await fetch(`${app.url}/healthz`);
    await recorded("/count");
    await fetch(`${app.url}/console/`);
    await fetch(`${app.url}/CONSOLE/api/overview`);
    await requestText(app.port, "GET /api/x HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n");
    expect((await list()).requests.map(({ path, status }) => [path, status])).toEqual([
      ["/api/x", 403],
      ["/api/articles", 405],
      ["/nothing", 404],
    ]);
  });

  it("leaves out what the console's page asks the simulator, which is no client's request", async () => {
    const throughConsole = `${app.url}/console/api/provider/sim/users/alice`;
    expect((await fetch(throughConsole, { headers: authorized })).status).toBe(200);
    await fetch(`${app.url}/console/api/users`, { headers: authorized });
    await fetch(`${app.provider.url}/sim/users/alice`);
    await fetch(`${app.url}/console/api/provider/cgi-bin/token`, { headers: authorized });
    const { requests } = await list();
    expect(requests.map(({ service, path }) => [service, path])).toEqual([
      ["provider", "/cgi-bin/token"],
      ["provider", "/sim/users/alice"],
    ]);
  });

  it("keeps the beginning of a long body and says that it is cut", async () => {
    const body = JSON.stringify({ title: "long", body: "图".repeat(99_000) });
    await app.post(`${app.url}/api/articles`, JSON.parse(body), alice);
    const { request: sent, response } = await newest();
    expect(sent.body).toMatchObject({ size: Buffer.byteLength(body), truncated: true });
    expect(Buffer.byteLength(sent.body.text ?? "")).toBeGreaterThan(262_144 - 4);
    expect(body.startsWith(sent.body.text ?? "-")).toBe(true);
    expect(response.body.truncated).toBe(true);
  });

  it("keeps bytes that are no text as they are", async () => {
    const form = new FormData();
    form.append("[]", new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255, 254])], "x.png"));
    await fetch(`${app.url}/api/uploads`, { method: "POST", headers: alice, body: form });
    const { request: sent } = await newest();
    expect(Buffer.from(sent.body.base64 ?? "", "base64").includes(Buffer.from([0x4e, 0x47, 0, 255, 254]))).toBe(true);
    expect(sent.body.base64).toBeDefined();
  });

  it("has the body of a request that had to wait for the one before it on the same connection", async () => {
    const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n`;
    const body = JSON.stringify({ title: "second" });
    const token = `Authorization: ${alice["Authorization"] ?? ""}\r\n`;
    const type = `Content-Type: application/json\r\nContent-Length: ${String(body.length)}\r\nConnection: close\r\n`;
    const text = await requestText(
      app.port,
      `${head("GET", "/api/articles")}${token}\r\n${head("POST", "/api/articles")}${token}${type}\r\n${body}`,
    );
    expect(text).toContain("HTTP/1.1 201");
    const one = await newest("method=POST");
    expect([one.request.body.text, one.request_size]).toEqual([body, body.length]);
  });

  it("shows that a client left before the answer", async () => {
    const outgoing = request(`${app.url}/api/articles`, {
      method: "POST",
      headers: { ...alice, "Content-Type": "application/json", "Content-Length": 100 },
    });
    outgoing.on("error", () => undefined);
    outgoing.write('{"title":', () => outgoing.destroy());
    await expect.poll(async () => (await list("method=POST")).requests.length).toBe(1);
    const one = await newest("method=POST");
    expect([one.complete, one.request.body.text]).toEqual([false, '{"title":']);
  });

  it("is nothing while record_requests is off", async () => {
    await using other = await startTestApp({ settings: { record_requests: false } });
    await fetch(`${other.url}/api/articles`);
    const page = await fetch(`${other.url}/console/api/requests`, { headers: authorized });
    expect(await page.json()).toMatchObject({ requests: [], total: 0 });
  });
});

describe("the newest requests", () => {
  it("stay, when there are more than record_limit allows", async () => {
    await using few = await startTestApp({ settings: { record_limit: 3 } });
    for (let i = 1; i <= 8; i++) await fetch(`${few.url}/n/${String(i)}`);
    const response = await fetch(`${few.url}/console/api/requests`, { headers: authorized });
    const page = (await response.json()) as RequestPage;
    expect([page.total, page.requests.map(({ path }) => path)]).toEqual([3, ["/n/8", "/n/7", "/n/6"]]);
  });
});

describe("filters", () => {
  beforeEach(async () => {
    await createArticle("First");
    await createArticle("第二");
    await fetch(`${app.url}/api/articles/1`, { headers: alice });
    await fetch(`${app.url}/api/articles/99999`, { headers: alice });
    await fetch(`${app.url}/avatars/none?size=1`);
  });

  it.each([
    ["method=GET,PUT", 3],
    ["path=/api/articles", 2],
    ["path=/api/articles/{id}", 2],
    ["path=/API/**", 4],
    ["path=/avatars/n*", 1],
    ["path_regex=^/api/articles/\\d%2B$", 2],
    ["status=2xx", 3],
    ["status=404", 2],
    ["status=201,404", 4],
    ["status=none", 0],
    ["failed=true", 2],
    ["failed=false", 3],
    ["uid=u1", 4],
    ["uid=u2", 0],
    ["session=999", 0],
    ["service=app", 5],
    ["service=model", 0],
    ["q=First", 1],
    [`q=${encodeURIComponent("第二")}`, 1],
    ["q=size%3D1", 1],
    ["q=%25", 0],
    ["since=2020-01-01T00:00:00Z&method=POST", 2],
    ["until=2020-01-01T00:00:00Z", 0],
  ])("%s fits %i of five", async (query, count) => {
    expect(await (await recorded(`/count?${query}`)).json()).toEqual({ count });
    expect((await list(query)).requests).toHaveLength(count);
  });

  it("go through pages by before, and from a point on by after", async () => {
    const first = await list("limit=2");
    expect([first.requests.length, first.has_more, first.total]).toEqual([2, true, 5]);
    const rest = await list(`limit=4&before=${String(first.requests[1]?.id)}`);
    expect([rest.requests.length, rest.has_more]).toEqual([3, false]);
    expect(new Set([...first.requests, ...rest.requests].map(({ id }) => id)).size).toBe(5);
    expect((await list(`after=${String(first.requests[1]?.id)}`)).requests).toHaveLength(1);
  });

  it.each([
    ["status=abc", "status"],
    ["path=api", "path"],
    ["path=/a/**/b", "path"],
    ["path_regex=(", "path_regex"],
    ["since=yesterday", "since"],
    ["limit=0", "limit"],
    ["session=x", "session"],
    ["uid=7", "uid"],
    ["timeout_ms=5000000", "timeout_ms"],
  ])("%s is answered 400 and named", async (query, field) => {
    const response = await recorded(`/${field === "timeout_ms" ? "wait" : ""}?${query}`.replace("/?", "?"));
    expect([response.status, (await response.json()) as object]).toMatchObject([400, { details: [{ field }] }]);
  });

  it("answer 400 for an expression that would take for ever, and go on serving", async () => {
    await fetch(`${app.url}/${"a".repeat(60)}!`);
    const response = await recorded(`?path_regex=${encodeURIComponent("^/(a+)+$")}`);
    expect([response.status, (await response.json()) as object]).toMatchObject([400, { code: "bad_filter" }]);
  });
});

describe("removing", () => {
  it("DELETE removes one, or all; ids are never given out again", async () => {
    await createArticle("one");
    await createArticle("two");
    const [second, first] = (await list()).requests;
    expect((await recorded(`/${String(first?.id)}`, { method: "DELETE" })).status).toBe(204);
    expect((await recorded(`/${String(first?.id)}`)).status).toBe(404);
    expect((await recorded(`/${String(first?.id)}`, { method: "DELETE" })).status).toBe(404);
    expect((await list()).total).toBe(1);
    expect((await recorded("", { method: "DELETE" })).status).toBe(204);
    expect((await list()).total).toBe(0);
    await createArticle("three");
    expect((await newest()).id).toBeGreaterThan(second?.id ?? Infinity);
  });
});
