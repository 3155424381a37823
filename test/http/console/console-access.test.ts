import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { portOf } from "../../../server/contract/own-url.ts";
import { requestText } from "../../support/app/raw-request.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await mkdir(join(app.folder, "renderer"), { recursive: true });
  await writeFile(join(app.folder, "renderer", "index.html"), "<!doctype html><title>Hearth</title>");
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.consoleUrl}${path}`, { headers, redirect: "manual" });
const authorized = { Authorization: `Bearer ${consoleToken}` };

async function newCode(): Promise<{ code: string; address: string; expires_in: number }> {
  const response = await app.post(`${app.consoleUrl}/console/api/login-codes`, undefined, authorized);
  expect(response.status).toBe(201);
  return (await response.json()) as Awaited<ReturnType<typeof newCode>>;
}

const login = (code: string) => app.post(`${app.consoleUrl}/console/api/logins`, { code });

/** What a browser would send back. */
const cookieOf = (response: Response) => ({ Cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "" });
const statusWith = async (headers: Record<string, string>) => (await get("/console/api/overview", headers)).status;

describe("getting into the console", () => {
  const pages = ["/console/", "/console/requests", "/console/users?user=3&q=a+b", "/console/api/docs"];

  it.each(pages)("exchanges a code, or the token, for a cookie of its own at %s, and stays there", async (page) => {
    for (const way of [`code=${(await newCode()).code}`, `token=${consoleToken}`]) {
      const response = await get(`${page}${page.includes("?") ? "&" : "?"}${way}`);
      expect([response.status, response.headers.get("location")]).toEqual([303, page]);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      const cookie = response.headers.get("set-cookie") ?? "";
      expect(cookie).toMatch(/; Path=\/console; Max-Age=7776000; HttpOnly; SameSite=Strict$/);
      expect(cookie).toContain(`hearth_console_${new URL(app.consoleUrl).port}=`);
      expect(cookie).not.toContain(consoleToken);
      const overview = await get("/console/api/overview", cookieOf(response));
      expect(overview.status).toBe(200);
      expect(await overview.text()).not.toContain(consoleToken);
      // The value is worth nothing as a token.
      const value = cookie.split(";")[0]?.split("=")[1] ?? "";
      expect(await statusWith({ Authorization: `Bearer ${value}` })).toBe(401);
    }
  });

  it("redirects to no other host, for any path", async () => {
    const head = "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    for (const path of ["/console/..//host.example/", "/console//host.example/", "/console/%2e%2e//host.example/"]) {
      const text = await requestText(portOf(app.consoleUrl), `GET ${path}?token=${consoleToken} ${head}`);
      expect(/^Location: (.*)\r$/im.exec(text)?.[1]).toBe(path);
    }
  });

  it("gives each browser its own cookie, and accepts no forged one", async () => {
    const cookies = [];
    for (let n = 0; n < 3; n++) cookies.push(cookieOf(await get(`/console/?token=${consoleToken}`)).Cookie);
    expect(new Set(cookies).size).toBe(3);
    for (const Cookie of cookies) expect(await statusWith({ Cookie })).toBe(200);
    const [name, value = ""] = cookies[0]?.split("=") ?? [];
    const { cookie_hash: hash = "" } =
      (await app.db.selectFrom("console_browsers").selectAll().executeTakeFirst()) ?? {};
    for (const forged of ["", consoleToken, hash, value.slice(1), `${value}x`])
      expect([forged, await statusWith({ Cookie: `${name}=${forged}` })]).toEqual([forged, 401]);
  });

  it("takes a code once, typed as people type it", async () => {
    const { code, address, expires_in } = await newCode();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect([address, expires_in]).toEqual([`${app.consoleUrl}/console/?code=${code}`, 900]);
    const typed = code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
    const response = await login(typed);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(await statusWith(cookieOf(response))).toBe(200);
    const again = await login(code);
    expect(again.status).toBe(403);
    expect(await again.json()).toMatchObject({
      code: "bad_login_code",
      Message: expect.stringContaining("hearth open"),
    });
    expect(again.headers.get("set-cookie")).toBeNull();
    const opened = await get(`/console/uploads?code=${code}&n=1`);
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/console/uploads?n=1#login=refused"]);
    expect(opened.headers.get("set-cookie")).toBeNull();
  });

  it("redirects a browser that has access although its code was used, and shows a page for a wrong token", async () => {
    const cookie = cookieOf(await get(`/console/?token=${consoleToken}`));
    expect((await get("/console/chat?code=ABCD-EFGH", cookie)).headers.get("location")).toBe("/console/chat");
    const refused = await get("/console/chat?token=wrong");
    expect([refused.status, refused.headers.get("location")]).toEqual([303, "/console/chat#login=refused"]);
  });

  it("does not use up a code for HEAD, which link checkers send", async () => {
    const { code, address } = await newCode();
    await fetch(address, { method: "HEAD", redirect: "manual" });
    expect((await login(code)).status).toBe(204);
  });

  it("makes codes only for callers with access", async () => {
    expect((await app.post(`${app.consoleUrl}/console/api/login-codes`)).status).toBe(401);
    const cookie = cookieOf(await get(`/console/?token=${consoleToken}`));
    expect((await app.post(`${app.consoleUrl}/console/api/login-codes`, undefined, cookie)).status).toBe(201);
  });

  it("answers 429 when many codes were wrong, so that none can be guessed; a good code and the token still count", async () => {
    await using other = await startTestApp();
    const tryOut = (code: string) => other.post(`${other.consoleUrl}/console/api/logins`, { code });
    const made = await other.post(`${other.consoleUrl}/console/api/login-codes`, undefined, authorized);
    const { code } = (await made.json()) as { code: string };
    const statuses = [];
    for (let n = 0; n < 30; n++) statuses.push((await tryOut(`WRONG-${String(n)}`)).status);
    expect(new Set(statuses)).toEqual(new Set([403, 429]));
    expect(Number((await tryOut("WRONG")).headers.get("retry-after"))).toBeGreaterThan(0);
    const open = (query: string) => fetch(`${other.consoleUrl}/console/?${query}`, { redirect: "manual" });
    expect((await open("code=WRONG")).headers.get("location")).toBe("/console/#login=later");
    expect((await tryOut(code)).status).toBe(204);
    expect((await open(`token=${consoleToken}`)).headers.get("location")).toBe("/console/");
  });
});

describe("the console", () => {
  it("serves its page for every path of it, with a policy that allows no foreign content", async () => {
    const response = await get("/console/uploads/12");
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("<title>Hearth</title>")]);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  });

  it("answers 401 without the token or a cookie", async () => {
    expect((await get("/console/api/overview")).status).toBe(401);
    expect((await get("/console/api/overview", { Authorization: "Bearer wrong" })).status).toBe(401);
  });

  it("refuses pages of other origins, and other names for this machine", async () => {
    expect((await get("/console/api/overview", { ...authorized, Origin: "http://localhost:1" })).status).toBe(403);
    expect((await get("/console/api/overview", { ...authorized, Origin: app.consoleUrl })).status).toBe(200);
    const text = await requestText(
      portOf(app.consoleUrl),
      "GET /console/ HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n",
    );
    expect(text).toMatch(/^HTTP\/1.1 403 /);
  });

  it("POST /console/api/tokens logs a simulated user in completely", async () => {
    const response = await app.post(
      `${app.url}/console/api/tokens`,
      { user: "dev" },
      { Authorization: `Bearer ${consoleToken}` },
    );
    expect(response.status).toBe(201);
    const { access_token } = (await response.json()) as { access_token: string };
    const headers = { Authorization: `Bearer ${access_token}` };
    expect((await fetch(`${app.url}/api/articles`, { headers })).status).toBe(200);
  });

  it("POST /console/api/tokens answers the same session again while it is valid, and begins another one after", async () => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const ask = async () => {
      const reply = await app.post(`${app.url}/console/api/tokens`, { user: "reader" }, headers);
      return ((await reply.json()) as { access_token: string }).access_token;
    };
    const first = await ask();
    expect(await ask()).toBe(first);
    await fetch(`${app.url}/api/sessions/current`, { method: "DELETE", headers: { Authorization: `Bearer ${first}` } });
    expect(await ask()).not.toBe(first);
  });

  it("passes a restart on to the supervisor, with the port asked for", async () => {
    const restart = (name: string, body?: object) =>
      app.post(`${app.consoleUrl}/console/api/services/${name}/restarts`, body, {
        Authorization: `Bearer ${consoleToken}`,
      });
    expect((await restart("model", { port: 11500 })).status).toBe(202);
    await expect.poll(() => app.restarts).toContainEqual({ type: "restart", service: "model", port: 11500 });
    expect((await restart("nothing")).status).toBe(400);
  });

  it("answers 503 for a service that is down, and passes a running one's reply through", async () => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    expect((await get("/console/api/model/api/tags", headers)).status).toBe(503);
    expect(await (await get("/console/api/provider/healthz", headers)).json()).toEqual({ status: "ok" });
  });
});
