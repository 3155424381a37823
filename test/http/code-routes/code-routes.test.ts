import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWithCode } from "../../support/app/code-files.ts";

let code: Awaited<ReturnType<typeof startWithCode>>;
beforeAll(async () => {
  code = await startWithCode(
    `
  get("/hello/{name}", ({ params, query, headers }) => ({ params, query, agent: headers["x-agent"], none: null }));
  post("/echo", ({ body }) => body);
  put("/nothing", () => undefined);
  patch("/teapot", () => reply(418, { short: true }, { "X-Kind": "pot" }));
  del("/page", () => reply(200, "<p>hi</p>", { "Content-Type": "text/html" }));
  get("/bytes", () => reply(200, new Uint8Array([1, 2, 255])));
  get("/moved", () => reply(302, undefined, { Location: "/hello/you" }));
  get("/later", () => reply(202, { id: 1 }));
  get("/refused", () => fail(409, "sold_out", "Nothing is left."));
  get("/mine", { login: true }, ({ user, phone }) => ({ uid: user.uid, phone }));
  get("/mine/page", { login: true }, () => reply(200, "mine", { "Content-Type": "text/plain" }));
  post("/api/things", () => ({ by: "code" }));
`,
  );
});
afterAll(() => code[Symbol.asyncDispose]());

describe("a route of the project's code", () => {
  it("gets parameters, query and headers, and its value is sent as JSON", async () => {
    const answer = await code.get("/hello/J%C3%BCrgen?a=1&b=2&b=3", { headers: { "X-Agent": "me" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(await answer.text()).toBe(
      '{"params":{"name":"Jürgen"},"query":{"a":"1","b":["2","3"]},"agent":"me","none":null}',
    );
  });

  it("gets the body of JSON, a form or XML, and answers XML to those who accept it", async () => {
    const post = (type: string, body: string, Accept = "*/*") =>
      code.get("/echo", { method: "POST", body, headers: { "Content-Type": type, Accept } });
    expect(await (await post("application/json", '{"a":[1,null]}')).json()).toEqual({ a: [1, null] });
    expect(await (await post("application/x-www-form-urlencoded", "a=1&b=x")).json()).toEqual({ a: "1", b: "x" });
    const xml = await post("application/xml", "<order><id>7</id></order>", "application/xml");
    expect([xml.headers.get("content-type"), await xml.text()]).toEqual([
      "application/xml; charset=utf-8",
      expect.stringContaining("<id>7</id>"),
    ]);
    expect((await post("application/json", "{")).status).toBe(400);
    expect((await post("text/csv", "a;b")).status).toBe(415);
  });

  it("answers with status and headers by reply, with 204 without a value, and with other contents", async () => {
    const of = async (method: string, path: string) => {
      const answer = await code.get(path, { method });
      return [answer.status, answer.headers.get("content-type"), await answer.text()];
    };
    expect(await of("PUT", "/nothing")).toEqual([204, null, ""]);
    expect(await of("PATCH", "/teapot")).toEqual([418, "application/json; charset=utf-8", '{"short":true}']);
    expect((await code.get("/teapot", { method: "PATCH" })).headers.get("x-kind")).toBe("pot");
    expect(await of("DELETE", "/page")).toEqual([200, "text/html", "<p>hi</p>"]);
    expect(await of("GET", "/later")).toEqual([202, "application/json; charset=utf-8", '{"id":1}']);
    expect((await code.get("/page", { method: "DELETE", headers: { Accept: "text/html" } })).status).toBe(200);
    const bytes = await code.get("/bytes");
    expect([bytes.headers.get("content-type"), new Uint8Array(await bytes.arrayBuffer())]).toEqual([
      "application/octet-stream",
      new Uint8Array([1, 2, 255]),
    ]);
    const moved = await code.get("/moved");
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "/hello/you"]);
  });

  it("refuses by fail in the usual form, and other methods with 405", async () => {
    const refused = await code.get("/refused");
    expect([refused.status, await refused.json()]).toEqual([409, { Message: "Nothing is left.", code: "sold_out" }]);
    const other = await code.get("/refused", { method: "POST" });
    expect([other.status, other.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const head = await code.get("/hello/you", { method: "HEAD" });
    expect([head.status, Number(head.headers.get("content-length")) > 0, await head.text()]).toEqual([200, true, ""]);
  });

  it("with login answers 401 with the next step, and then has the user, the phone and the status package", async () => {
    const { app } = code;
    const refused = await code.get("/mine");
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const { access_token } = await app.login("bob");
    const half = await code.get("/mine", { headers: { Authorization: `Bearer ${access_token}` } });
    expect([half.status, half.headers.get("www-authenticate")]).toEqual([401, "getUserInfo"]);

    const headers = await app.loggedIn("carol");
    const answer = (await code.json("/mine", { headers })) as { status: { uid: string }; data: unknown };
    expect(answer.status.uid).toMatch(/^u\d+$/);
    expect(answer.data).toEqual({ uid: answer.status.uid, phone: expect.stringMatching(/^1\d{10}$/) as string });
    const page = await code.get("/mine/page", { headers });
    expect([await page.text(), page.headers.has("status-package")]).toEqual(["mine", true]);
  });
});
