import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RecordedRequest } from "../../../../server/contract/console/traffic/requests.ts";
import { authorized, recordedCalls } from "../../../support/app/recorded-calls.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
let alice: Record<string, string>;
const { newest, clear, recorded } = recordedCalls(() => app);
const replay = (id: number, change?: object) =>
  app.post(`${app.url}/console/api/requests/${String(id)}/replays`, change, authorized);
async function replayed(id: number, change?: object): Promise<RecordedRequest> {
  const response = await replay(id, change);
  const body = (await response.json()) as RecordedRequest;
  expect([response.status, response.headers.get("location")]).toEqual([
    201,
    `/console/api/requests/${String(body.id)}`,
  ]);
  return body;
}
const dataOf = (one: RecordedRequest) => (JSON.parse(one.response.body.text ?? "{}") as { data: unknown }).data;
const sessions = async () => (await app.db.selectFrom("sessions").select("id").execute()).length;

beforeAll(async () => {
  app = await startTestApp({ settings: { basic_auth: true } });
  alice = await app.loggedIn("alice");
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(clear);

describe("a replay", () => {
  it("sends the request again as the same user, by a fresh token that ends with it", async () => {
    await app.post(`${app.url}/api/articles?x=1`, { title: "again" }, { ...alice, "X-Mine": "kept" });
    const first = await newest();
    const before = await sessions();
    const again = await replayed(first.id);
    expect(again).toMatchObject({ method: "POST", path: "/api/articles", query: "x=1", status: 201, uid: first.uid });
    expect(again.replay_of).toBe(first.id);
    expect(again.session_id).not.toBe(first.session_id);
    expect(again.request.body.text).toBe(first.request.body.text);
    expect(again.request.headers).toContainEqual({ name: "X-Mine", value: "kept" });
    expect(dataOf(again)).toMatchObject({ title: "again" });
    expect(await sessions()).toBe(before);
  });

  it("works after the session of the recorded request has ended, and of a replay", async () => {
    const headers = await app.loggedIn("bob");
    await fetch(`${app.url}/api/phonenumbers/mine`, { headers });
    const first = await newest();
    await fetch(`${app.url}/api/sessions/current`, { method: "DELETE", headers });
    const second = await replayed(first.id);
    expect(second.status).toBe(200);
    expect((await replayed(second.id)).status).toBe(200);
  });

  it("takes another method, path, header and body", async () => {
    await app.post(`${app.url}/api/articles`, { title: "changed" }, { ...alice, "X-Mine": "a", "X-Other": "b" });
    const { id } = dataOf(await newest()) as { id: number };
    const first = await newest();
    const again = await replayed(first.id, {
      method: "PUT",
      path: `/api/articles/${String(id)}?y=2`,
      headers: { "x-mine": "c", "X-Other": null },
      body: { title: "图" },
    });
    expect(again).toMatchObject({ method: "PUT", query: "y=2", status: 200 });
    expect(dataOf(again)).toMatchObject({ title: "图" });
    expect(again.request.headers).toContainEqual({ name: "x-mine", value: "c" });
    expect(again.request.headers.map(({ name }) => name.toLowerCase())).not.toContain("x-other");
    expect(
      (await replayed(first.id, { body: "<a>x</a>", headers: { "Content-Type": "application/xml" } })).status,
    ).toBe(400);
    expect((await replayed(first.id, { headers: { Authorization: null } })).status).toBe(401);
  });

  it("puts passwords back in, and nothing where no secret belongs", async () => {
    const headers = { ...(await app.loggedIn("carl")), "Content-Type": "application/json" };
    const body = '{ "password" : "tresure-1", "user":"carl" }';
    await fetch(`${app.url}/api/accounts`, { method: "POST", headers, body });
    const first = await newest();
    const account = dataOf(first) as { id: number };
    await fetch(`${app.url}/api/accounts/${String(account.id)}`, { method: "DELETE", headers });
    const again = await replayed(first.id);
    expect(again.status).toBe(201);
    const basic = { Authorization: `Basic ${Buffer.from("carl:tresure-1").toString("base64")}` };
    expect((await fetch(`${app.url}/api/accounts/me`, { headers: basic })).status).toBe(200);
    expect((await replayed((await newest()).id)).status).toBe(200);

    const reference = /\{\{password:[\w.]+\}\}/.exec(first.request.body.text ?? "")?.[0] ?? "";
    const title = `{{session:${String(first.session_id)}}} ${reference}`;
    const article = await replayed(first.id, { path: "/api/articles", body: { title } });
    expect(dataOf(article)).toMatchObject({ title });
  });

  it("repeats bytes that are no text, and cookies", async () => {
    const form = new FormData();
    form.append("[]", new File([Buffer.from("UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==", "base64")], "图.zip"));
    await fetch(`${app.url}/api/uploads`, { method: "POST", headers: { ...alice, Cookie: "a=b" }, body: form });
    const first = await newest();
    const again = await replayed(first.id);
    expect([again.status, again.request.body]).toEqual([first.status, first.request.body]);
    expect(first.status).toBe(201);
    const cookie = (one: RecordedRequest) => one.request.headers.find(({ name }) => name.toLowerCase() === "cookie");
    expect(cookie(again)).toEqual(cookie(first));
  });

  it("is refused with 409 when the body was not kept whole, unless there is another", async () => {
    await app.post(`${app.url}/api/articles`, { title: "long", body: "x".repeat(300_000) }, alice);
    const { id } = await newest();
    const refused = await replay(id);
    expect([refused.status, (await refused.json()) as object]).toMatchObject([409, { code: "body_not_kept" }]);
    expect((await replayed(id, { body: { title: "short" } })).status).toBe(201);
  });

  it("is refused with 409 when the user is gone, or the secret was of an earlier run", async () => {
    const headers = await app.loggedIn("gone");
    await fetch(`${app.url}/api/articles`, { headers });
    const { id, uid } = await newest();
    await app.db
      .deleteFrom("users")
      .where("id", "=", Number(uid?.slice(1)))
      .execute();
    expect(await (await replay(id)).json()).toMatchObject({ code: "user_gone" });
    const forgotten = await replay(id, { headers: { Authorization: "Bearer {{authorization:abc123.1}}" } });
    expect([forgotten.status, (await forgotten.json()) as object]).toMatchObject([409, { code: "secret_forgotten" }]);
  });

  it("of what is not there is 404, of the console 400, and a field that is wrong is named", async () => {
    expect((await replay(999_999)).status).toBe(404);
    await fetch(`${app.url}/x`);
    const { id } = await newest();
    for (const [change, field] of [
      [{ path: "/console/api/tokens" }, "path"],
      [{ path: "x" }, "path"],
      [{ path: "/a b" }, "path"],
      [{ method: "get" }, "method"],
      [{ method: "FETCH" }, "method"],
      [{ headers: { "a b": "c" } }, "a b"],
      [{ headers: { "x-request-id": "mine" } }, "x-request-id"],
      [{ headers: { a: "b\r\nc: d" } }, "headers.a"],
      [{ headder: {} }, "headder"],
    ] as const) {
      const response = await replay(id, change);
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(field)]);
    }
  });

  it("is refused with 409 while recording is off", async () => {
    await using off = await startTestApp({ settings: { record_requests: false } });
    const response = await off.post(`${off.url}/console/api/requests/1/replays`, {}, authorized);
    expect(response.status).toBe(404);
  });
});

describe("a recorded request as text", () => {
  const snippet = async (id: number, format: string) => {
    const response = await recorded(`/${String(id)}/snippets/${format}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    return response.text();
  };
  const environment = () => ({
    ...process.env,
    HEARTH_TOKEN: alice["Authorization"]?.slice("Bearer ".length),
    HEARTH_PASSWORD: "it's tresure-1",
  });
  const run = (command: string, args: string[]) => promisify(execFile)(command, args, { env: environment() });
  const tricky = { title: `it's "quoted" $HOME \`x\` \\ \${y} 图\n!`, body: "b" };

  async function check(make: (text: string) => Promise<unknown>, format: string) {
    await app.post(`${app.url}/api/articles?a=%20b&c='`, tricky, { ...alice, "X-Odd": "a'b\"c" });
    const first = await newest();
    const text = await snippet(first.id, format);
    expect(text).toContain("HEARTH_TOKEN");
    expect(text).not.toContain("{{");
    await recorded("", { method: "DELETE" });
    await make(text);
    const second = await newest();
    expect(second).toMatchObject({ method: "POST", path: first.path, query: first.query, status: 201, uid: "u1" });
    expect(second.request.body.text).toBe(first.request.body.text);
    expect(second.request.headers).toContainEqual({ name: "X-Odd", value: "a'b\"c" });
  }

  it("runs as a curl command, with the token in a variable", () => check((text) => run("sh", ["-c", text]), "curl"));

  it("runs as JavaScript with fetch", () =>
    check((text) => run(process.execPath, ["--input-type=module", "-e", text]), "fetch"));

  it("is written for HTTPie", async () => {
    await app.post(`${app.url}/api/articles`, { title: "it's" }, alice);
    const { id } = await newest();
    const text = await snippet(id, "httpie");
    expect(text).toContain(`http --ignore-stdin --raw='{"title":"it'\\''s"}' POST ${app.url}/api/articles`);
    expect(text).toContain(`Authorization:Bearer '"$HEARTH_TOKEN"`);
  });

  it("has a variable for every secret", async () => {
    const headers = { ...(await app.loggedIn("dora")), "X-Access-Token": "other" };
    await app.post(`${app.url}/api/accounts`, { user: "dora", password: "it's tresure-1" }, headers);
    const { id } = await newest();
    const text = await snippet(id, "curl");
    expect(text).toContain(`'{"user":"dora","password":"'"$HEARTH_PASSWORD"'"}'`);
    expect(text).not.toMatch(/tresure|other/);
  });

  it("of a GET, a HEAD and bytes", async () => {
    await fetch(`${app.url}/api/articles`, { headers: alice });
    expect(await snippet((await newest()).id, "curl")).toMatch(
      /^curl http:\/\/127\.0\.0\.1:\d+\/api\/articles \\\n {2}-H /,
    );
    await fetch(`${app.url}/api/articles`, { method: "HEAD", headers: alice });
    expect(await snippet((await newest()).id, "curl")).toMatch(/^curl --head /);
    await fetch(`${app.url}/api/articles`, { method: "POST", headers: alice, body: new Uint8Array([0, 255]) });
    const { id } = await newest();
    expect(await snippet(id, "curl")).toMatch(/^printf %s 'AP8=' \| base64 -d \| curl http[^]*--data-binary @-\n$/);
    await run("sh", ["-c", await snippet(id, "curl")]);
    expect((await newest()).request.body.base64).toBe("AP8=");
    expect((await recorded(`/${String(id)}/snippets/wget`)).status).toBe(400);
  });
});

describe("GET /console/api/requests/har", () => {
  it("answers an archive of what the filter fits", async () => {
    await app.post(`${app.url}/api/articles?a=1&b=%E5%9B%BE`, { title: "in the archive" }, alice);
    await fetch(`${app.url}/api/articles`, { method: "POST", headers: alice, body: new Uint8Array([0, 255]) });
    const response = await recorded("/har?status=201,415");
    expect(response.headers.get("content-disposition")).toContain("hearth.har");
    const { log } = (await response.json()) as { log: { version: string; entries: Record<string, never>[] } };
    expect([log.version, log.entries.length]).toEqual(["1.2", 2]);
    expect(log.entries).toMatchObject([
      { request: { method: "POST", postData: { text: "AP8=", encoding: "base64" } }, response: { status: 415 } },
      {
        startedDateTime: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        request: {
          url: `${app.url}/api/articles?a=1&b=%E5%9B%BE`,
          httpVersion: "HTTP/1.1",
          queryString: [
            { name: "a", value: "1" },
            { name: "b", value: "图" },
          ],
          postData: { mimeType: "application/json", text: '{"title":"in the archive"}' },
        },
        response: { status: 201, content: { mimeType: expect.stringContaining("application/json") as string } },
        timings: { send: 0, receive: 0 },
      },
    ]);
  });
});
