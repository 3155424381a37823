import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngBytes } from "../support/files.ts";
import { requestText } from "../support/app/raw-request.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { asConsole, basic, bearer, bodyOf, send, stepOf } from "./spec-client.ts";

let app: TestApp;
let alice: Record<string, string>;
let bob: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp({ settings: { basic_auth: true, raffle_draw_ms: 5_000 } });
  [alice, bob] = [await app.loggedIn("alice"), await app.loggedIn("bob")];
});
afterAll(() => app[Symbol.asyncDispose]());

const call = (method: string, path: string, body?: unknown, headers = alice) =>
  send(`${app.url}${path}`, method, headers, body);
const create = async (fields: object, headers = alice) => {
  const reply = await call("POST", "/api/articles", fields, headers);
  return reply.headers.get("location") ?? "";
};
const listed = async (): Promise<unknown> => (await bodyOf(await call("GET", "/api/articles"))).data;
/** Status and code of a refusal. */
const refusalOf = async (reply: Response): Promise<unknown[]> => [reply.status, (await bodyOf(reply)).code];

describe("Errors, successes among them", () => {
  it("[Errors 200] what succeeds without creating or emptying anything is 200", async () => {
    const path = await create({ title: "a" });
    for (const reply of [await call("GET", path), await call("PUT", path, { title: "b" }), await call("HEAD", path)])
      expect(reply.status).toBe(200);
  });

  it("[Errors 201] a POST that creates is 201 and says where", async () => {
    const reply = await call("POST", "/api/articles", { title: "created" });
    expect(reply.status).toBe(201);
    expect((await call("GET", reply.headers.get("location") ?? "")).status).toBe(200);
  });

  it("[Errors 202] what is received to be acted on later is 202, with nothing in it that could be asked again", async () => {
    const body = new URLSearchParams({ df: "/a", ev: "move" });
    const reply = await fetch(`${app.url}/api/inotify/`, { method: "POST", body });
    expect([reply.status, await reply.text(), reply.headers.get("location")]).toEqual([202, "", null]);
  });

  it("[Errors 204] a PUT or DELETE without a body in reply is 204", async () => {
    const path = await create({ title: "a" });
    const put = await call("PUT", path, { title: "b" }, { ...alice, Prefer: "return=minimal" });
    const deleted = await call("DELETE", path);
    expect([put.status, await put.text(), deleted.status, await deleted.text()]).toEqual([204, "", 204, ""]);
  });

  it("[Errors 301] a final redirect is 301", async () => {
    await using final = await startTestApp({ settings: { query_normalization: "301" } });
    const reply = await send(`${final.url}/api/articles?&a=1`, "GET", {});
    expect([reply.status, reply.headers.get("location")]).toEqual([301, "/api/articles?a=1"]);
  });

  it("[Errors 302] a temporary redirect is 302, and leads to a GET", async () => {
    const body = new FormData();
    body.append("Avatar", new File([pngBytes(1, 1)], "a.png"));
    const reply = await fetch(`${app.url}/api/avatars`, { method: "POST", body, headers: alice });
    expect([reply.status, reply.redirected, new URL(reply.url).pathname]).toEqual([
      200,
      true,
      expect.stringMatching(/^\/avatars\//),
    ]);
    expect((await send(`${app.url}/api/articles?&a=1`, "GET", {})).status).toBe(302);
  });

  it("[Errors 307] a temporary redirect that keeps the method is 307, and no POST is redirected by any other", async () => {
    await using temporary = await startTestApp({ settings: { query_normalization: "307" } });
    expect((await send(`${temporary.url}/api/articles?&a=1`, "GET", {})).status).toBe(307);
    const headers = await temporary.loggedIn();
    const posted = await send(`${temporary.url}/api/articles?&a=1`, "POST", headers, { title: "still a POST" });
    expect(posted.status).toBe(201);
  });
});

describe("Errors of the request", () => {
  it("[Errors 400.1] a required field is missing: 400 naming it, in JSON, form, XML and query alike", async () => {
    const field = async (reply: Response) => [reply.status, (await bodyOf(reply)).details[0].field];
    expect(await field(await call("POST", "/api/articles", { body: "no title" }))).toEqual([400, "title"]);
    const raw = (type: string, body: string) =>
      fetch(`${app.url}/api/articles`, { method: "POST", body, headers: { ...alice, "Content-Type": type } });
    expect(await field(await raw("application/xml", "<a><body>no title</body></a>"))).toEqual([400, "title"]);
    expect(await field(await raw("application/x-www-form-urlencoded", "body=no+title"))).toEqual([400, "title"]);
    expect(await field(await app.post(`${app.url}/api/sessions`, {}))).toEqual([400, "code"]);
  });

  it("[Errors 400.2] content that is too long is 400: a field, a body, the headers", async () => {
    expect((await call("POST", "/api/articles", { title: "x".repeat(201) })).status).toBe(400);
    expect(await refusalOf(await call("POST", "/api/articles", { title: "x", body: "y".repeat(1_100_000) }))).toEqual([
      400,
      "content_too_long",
    ]);
    const headers = `GET /api/articles HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await requestText(app.port, headers)).toMatch(/^HTTP\/1.1 400 [^]*"code":"headers_too_long"/);
  });

  it("[Errors 400.3] [Limits 4] a page size at the limit is answered, one over it is 400", async () => {
    expect((await call("GET", "/api/articles?page_size=100")).status).toBe(200);
    const over = await call("GET", "/api/articles?page_size=101");
    expect([over.status, (await bodyOf(over)).details[0].field]).toEqual([400, "page_size"]);
    for (const path of ["/api/raffles", "/api/accounts", "/api/uploads"])
      expect((await call("GET", `${path}?page_size=1000000`)).status, path).toBe(400);
  });

  it("[Errors 400.4] a query that begins with & is 400 where the normalization is off", async () => {
    await using off = await startTestApp({ settings: { query_normalization: "off" } });
    expect(await refusalOf(await send(`${off.url}/api/articles?&a=1`, "GET", {}))).toEqual([400, "bad_query"]);
  });

  it("[Errors 400.5] the same bad request is refused the same way each time, and changes nothing", async () => {
    const before = await listed();
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await bodyOf(await call("POST", "/api/articles", { title: "" })));
    expect(answers[0]).toMatchObject({ code: "invalid_request" });
    expect([answers[1], answers[2]]).toEqual([answers[0], answers[0]]);
    expect(await listed()).toEqual(before);
  });

  it("[Errors 401.1] who is not logged in hears 401, always with the step in the header", async () => {
    const { access_token } = await app.login("half");
    expect(stepOf(await call("GET", "/api/articles", undefined, {}))).toEqual([401, "Bearer"]);
    expect(stepOf(await call("GET", "/api/articles", undefined, bearer(access_token)))).toEqual([401, "getUserInfo"]);
    expect(stepOf(await call("GET", "/api/accounts/me", undefined, {}))).toEqual([401, 'Basic realm="Hearth"']);
  });

  it("[Errors 401.2] the same request works once the client has logged in", async () => {
    const request = (headers: Record<string, string>) => call("POST", "/api/articles", { title: "retried" }, headers);
    expect((await request({})).status).toBe(401);
    expect((await request(await app.loggedIn("late"))).status).toBe(201);
  });

  it("[Errors 403.1] a wrong password is 403", async () => {
    await call("POST", "/api/accounts", { user: "alice", password: "correct horse" });
    const me = (password: string) => call("GET", "/api/accounts/me", undefined, basic("alice", password));
    expect((await me("correct horse")).status).toBe(200);
    expect(await refusalOf(await me("battery staple"))).toEqual([403, "wrong_password"]);
  });

  it("[Errors 403.2] deleting another user's article is 403, and it stays", async () => {
    const path = await create({ title: "alice's" });
    expect((await call("DELETE", path, undefined, bob)).status).toBe(403);
    expect((await call("GET", path)).status).toBe(200);
    expect((await call("DELETE", path)).status).toBe(204);
  });

  it("[Errors 403.3] a banned address is 403 until the ban is lifted", async () => {
    await using other = await startTestApp();
    const ban = (method: string) => send(`${other.url}/console/api/bans/127.0.0.1`, method, asConsole);
    const articles = () => send(`${other.url}/api/articles`, "GET", {});
    await ban("PUT");
    expect(await refusalOf(await articles())).toEqual([403, "ip_banned"]);
    await ban("DELETE");
    expect((await articles()).status).toBe(401);
  });

  it("[Errors 403.4] it is refused again however often it is repeated, also after a new login", async () => {
    const path = await create({ title: "hidden", private: true });
    for (const headers of [bob, bob, await app.loggedIn("bob")])
      expect((await call("GET", path, undefined, headers)).status).toBe(403);
  });

  it("[Errors 404.1] what does not exist is 404: the path, the resource, what was deleted", async () => {
    const path = await create({ title: "short-lived" });
    await call("DELETE", path);
    for (const missing of ["/api/nothings", "/api/articles/999999", path, "/nothing", "/avatars/unknown"])
      expect(await refusalOf(await call("GET", missing))).toEqual([404, "not_found"]);
  });

  it("[Errors 404.2] what exists but is another's is 403, what does not exist 404", async () => {
    const path = await create({ title: "mine", private: true });
    expect((await call("GET", path, undefined, bob)).status).toBe(403);
    expect((await call("PATCH", path, { title: "yours" }, bob)).status).toBe(403);
    expect((await call("GET", "/api/articles/999999", undefined, bob)).status).toBe(404);
  });

  it("[Errors 405] a verb that is not enabled is 405 with those that are", async () => {
    for (const method of ["PUT", "PATCH", "DELETE", "PROPFIND", "MKCOL"]) {
      const reply = await call(method, "/api/articles");
      expect([reply.headers.get("allow"), ...(await refusalOf(reply))]).toEqual([
        "GET, POST, HEAD, OPTIONS",
        405,
        "method_not_allowed",
      ]);
    }
    for (const path of ["/swagger", "/swagger/docs/v1"]) expect((await call("POST", path)).status).toBe(405);
  });
});

describe("Errors of the server", () => {
  it("[Errors 500] a failing database is 500, and the reply tells nothing of its innards", async () => {
    await using broken = await startTestApp();
    const headers = await broken.loggedIn();
    await broken.db.schema.dropTable("records").execute();
    const reply = await send(`${broken.url}/api/articles`, "POST", headers, { title: "lost" });
    expect(reply.status).toBe(500);
    const text = await reply.text();
    expect(JSON.parse(text)).toEqual({ Message: expect.any(String), code: "internal_error" });
    expect(text).not.toMatch(/sqlite|records|table|\.ts/i);
    expect((await fetch(`${broken.url}/healthz`)).status).toBe(200);
  });

  const notReady = async (reply: Response) => [
    reply.status,
    Number(reply.headers.get("retry-after")) > 0,
    (await bodyOf(reply)).code,
  ];

  it("[Errors 503.1] in maintenance every request of the API is 503 with Retry-After", async () => {
    await using closed = await startTestApp({ settings: { maintenance: true } });
    for (const method of ["GET", "POST", "DELETE"])
      expect(await notReady(await send(`${closed.url}/api/articles`, method, {}))).toEqual([503, true, "maintenance"]);
  });

  it("[Errors 503.2] under more work than it can take it is 503 with Retry-After, and 200 again afterwards", async () => {
    app.lag.ms = 60_000;
    expect(await notReady(await call("GET", "/api/articles"))).toEqual([503, true, "overloaded"]);
    app.lag.ms = 0;
    expect((await call("GET", "/api/articles")).status).toBe(200);
  });

  it("[Errors 503.3] while one draw of a raffle holds the lock, others are 503 with Retry-After", async () => {
    const raffle = await call("POST", "/api/raffles", { title: "r", entries: ["a", "b", "c"], prizes: 3 });
    const draw = () => call("POST", `${raffle.headers.get("location") ?? ""}/draws`);
    const replies = await Promise.all([draw(), draw(), draw()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 503, 503]);
    for (const reply of replies.filter(({ status }) => status === 503))
      expect(await notReady(reply)).toEqual([503, true, "drawing"]);
    expect((await draw()).status).toBe(201);
  });
});
