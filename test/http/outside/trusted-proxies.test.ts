/** The address of a client is seen by a ban of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestText } from "../../support/app/raw-request.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

const authorized = { Authorization: `Bearer ${consoleToken}` };
const banned = "203.0.113.9";
const bannedV6 = "2001:db8::9";

async function startWith(proxies: string[]): Promise<TestApp> {
  const app = await startTestApp({
    settings: { trusted_proxies: proxies, allowed_hosts: ["hearth.example"] },
  });
  for (const address of [banned, bannedV6])
    await fetch(`${app.url}/console/api/bans/${address}`, { method: "PUT", headers: authorized });
  return app;
}
const codeAt = async (app: TestApp, headers: Record<string, string>) =>
  ((await (await fetch(`${app.url}/api/articles`, { headers })).json()) as { code: string }).code;

let app: TestApp;
beforeAll(async () => {
  app = await startWith(["127.0.0.1", "198.51.100.0/24"]);
});
afterAll(() => app[Symbol.asyncDispose]());

describe("a listed proxy", () => {
  it.each([
    [{ "X-Forwarded-For": banned }],
    [{ "X-Forwarded-For": `10.0.0.7, ${banned}` }],
    [{ "X-Forwarded-For": `${banned}, 198.51.100.7` }],
    [{ "X-Forwarded-For": `[${bannedV6}]:4711` }],
    [{ "X-Forwarded-For": "2001:0DB8:0:0::0009" }],
    [{ "X-Forwarded-For": "::FFFF:CB00:7109" }],
    [{ Forwarded: `for=${banned};proto=https, for=198.51.100.7` }],
    [{ Forwarded: `for="[${bannedV6}]:4711"` }],
    [{ "X-Forwarded-For": banned, Forwarded: "for=10.0.0.7" }],
  ])("is believed about who asks: %j", async (headers) => {
    expect(await codeAt(app, headers as Record<string, string>)).toBe("ip_banned");
  });

  it.each([
    [{ "X-Forwarded-For": `${banned}, 10.0.0.7` }],
    [{ "X-Forwarded-For": `${banned}, unknown` }],
    [{ "X-Forwarded-For": "not an address" }],
    [{ Forwarded: "by=nobody" }],
  ])("is believed no further than the first address that is not listed: %j", async (headers) => {
    expect(await codeAt(app, headers as Record<string, string>)).toBe("login_required");
  });

  it("is believed about the host, which must be allowed like any other", async () => {
    const from = (host: string) =>
      fetch(`${app.url}/healthz-of-nobody`, { headers: { "X-Forwarded-For": "10.0.0.7", "X-Forwarded-Host": host } });
    expect((await from("hearth.example")).status).toBe(404);
    expect(await (await from("evil.example")).json()).toMatchObject({ code: "host_refused" });
  });

  it.each(["X-Forwarded-For: 10.0.0.7\r\nX-Forwarded-Host: localhost", "Forwarded: for=10.0.0.7;host=localhost"])(
    "also needs an allowed Host of its own, or one without a dot: a page that rebinds its name can send %j",
    async (headers) => {
      const from = async (host: string) => {
        const head = `GET /healthz-of-nobody HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\nConnection: close\r\n\r\n`;
        return Number((await requestText(app.port, head)).split(" ")[1]);
      };
      for (const host of ["evil.example", "evil.example:80", "evil.example."]) expect(await from(host)).toBe(403);
      for (const host of ["hearth.example", "10.0.0.5:3080", "backend", "backend:3080"])
        expect(await from(host)).toBe(404);
      expect(await from("user@localhost")).toBe(400);
    },
  );

  it("is believed about the scheme: the console's cookie is for HTTPS alone", async () => {
    const login = async (headers: Record<string, string>) => {
      const url = `${app.consoleUrl}/console/?token=${consoleToken}`;
      return (await fetch(url, { headers, redirect: "manual" })).headers.get("set-cookie");
    };
    expect(await login({ "X-Forwarded-For": "10.0.0.7", "X-Forwarded-Proto": "https" })).toMatch(/; Secure$/);
    expect(await login({ "X-Forwarded-For": "10.0.0.7", "X-Forwarded-Proto": "http" })).not.toContain("Secure");
  });

  it("makes nobody a program of this machine: control routes ask for the token, whatever address it names", async () => {
    const provider = app.provider.url;
    for (const address of ["10.0.0.7", "127.0.0.1", "::1"])
      expect((await fetch(`${provider}/sim/users`, { headers: { "X-Forwarded-For": address } })).status).toBe(401);
    expect((await fetch(`${provider}/sim/users`, { headers: { Forwarded: "for=127.0.0.1" } })).status).toBe(401);
  });
});

it("a proxy that is not listed is believed nothing", async () => {
  await using other = await startWith([]);
  expect(await codeAt(other, { "X-Forwarded-For": banned })).toBe("login_required");
  const headers = { "X-Forwarded-For": banned, "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" };
  expect(await codeAt(other, headers)).toBe("login_required");
  const login = await fetch(`${other.consoleUrl}/console/?token=${consoleToken}`, { headers, redirect: "manual" });
  expect(login.headers.get("set-cookie")).not.toContain("Secure");
});
