/** What other sites and other pages of this machine may ask the console's two places for. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { portOf } from "../../../server/contract/own-url.ts";
import { requestText } from "../../support/app/raw-request.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { userFiles } from "../../support/app/user-files.ts";

let app: TestApp;
beforeAll(async () => void (app = await startTestApp({ settings: { cors_origins: ["https://shop.example"] } })));
afterAll(() => app[Symbol.asyncDispose]());

const withToken = { Authorization: `Bearer ${consoleToken}` };
const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers, redirect: "manual" });
const newCode = async () => {
  const made = await app.post(`${app.consoleUrl}/console/api/login-codes`, undefined, withToken);
  return ((await made.json()) as { code: string }).code;
};

describe("the console's API at the application server's port", () => {
  const overview = () => `${app.url}/console/api/overview`;

  it("answers a program that sends the token, and says nothing to pages", async () => {
    const reply = await get(overview(), withToken);
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([200, null]);
    for (const added of [
      { Origin: app.url },
      { Origin: app.consoleUrl },
      { Origin: "https://shop.example" },
      { "Sec-Fetch-Site": "same-origin" },
      { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate" },
      { "Sec-Fetch-Dest": "empty" },
    ] as Record<string, string>[]) {
      const refused = await get(overview(), { ...withToken, ...added });
      expect(refused.status, JSON.stringify(added)).toBe(403);
      expect(await refused.json()).toMatchObject({ code: "page_refused" });
    }
  });

  it("allows no page to ask, the console's neither", async () => {
    for (const Origin of [app.consoleUrl, app.url, "https://shop.example"]) {
      const headers = { Origin, "Access-Control-Request-Method": "GET" };
      const reply = await fetch(overview(), { method: "OPTIONS", headers });
      expect([reply.status, reply.headers.get("access-control-allow-origin")], Origin).toEqual([403, null]);
    }
  });

  it("reads no cookie, and gives none", async () => {
    const login = await get(`${app.consoleUrl}/console/?token=${consoleToken}`);
    const Cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await get(`${app.consoleUrl}/console/api/overview`, { Cookie })).status).toBe(200);
    expect((await get(overview(), { Cookie })).status).toBe(401);
    const given = await app.post(`${app.url}/console/api/logins`, { code: await newCode() }, withToken);
    expect([given.status, given.headers.get("set-cookie")]).toEqual([404, null]);
    const led = await get(`${app.url}/console/?token=${consoleToken}`);
    expect([led.headers.get("set-cookie"), led.headers.get("location")]).toEqual([null, `${app.consoleUrl}/console/`]);
  });
});

/** What a browser gets for a navigation. Node's fetch writes `Sec-Fetch-Mode` by itself. */
async function navigate(path: string, site: string, dest = "document") {
  const port = portOf(app.consoleUrl);
  const sent = ["Host: localhost", "Sec-Fetch-Mode: navigate", `Sec-Fetch-Dest: ${dest}`, `Sec-Fetch-Site: ${site}`];
  const text = await requestText(port, `GET ${path} HTTP/1.1\r\n${sent.join("\r\n")}\r\nConnection: close\r\n\r\n`);
  const valueOf = (name: string) => new RegExp(`^${name}: (.*)\r$`, "im").exec(text)?.[1];
  return { status: Number(text.split(" ")[1]), location: valueOf("location"), cookie: valueOf("set-cookie") };
}

describe("a login code", () => {
  it.each(["cross-site", "same-site"])(
    "is neither used up nor counted by a %s page that leads a browser to it",
    async (site) => {
      const code = await newCode();
      for (let n = 0; n < 30; n++)
        expect(await navigate(`/console/?code=WRONG-${String(n)}`, site)).toEqual({
          status: 303,
          location: "/console/",
        });
      expect(await navigate(`/console/?code=${code}`, site)).toEqual({ status: 303, location: "/console/" });
      expect(await navigate("/console/?code=WRONG", "none")).toMatchObject({ location: "/console/#login=refused" });
      expect(await navigate(`/console/?code=${code}`, "none")).toMatchObject({
        location: "/console/",
        cookie: expect.stringContaining("hearth_console_"),
      });
    },
  );

  it("is accepted however many wrong ones came before it", async () => {
    const code = await newCode();
    const wrong = () => app.post(`${app.consoleUrl}/console/api/logins`, { code: "WRONG" });
    await expect.poll(async () => (await wrong()).status).toBe(429);
    expect((await app.post(`${app.consoleUrl}/console/api/logins`, { code })).status).toBe(204);
  });
});

it.each(["iframe", "frame", "object", "embed"])(
  "the console's page is shown in no %s of another origin",
  async (dest) => {
    for (const site of ["same-site", "cross-site"])
      expect(await navigate("/console/", site, dest)).toMatchObject({ status: 403 });
  },
);

it("the script of a service worker is refused at every port", async () => {
  for (const url of [app.url, app.consoleUrl, app.provider.url]) {
    const reply = await get(`${url}/healthz`, { "Service-Worker": "script" });
    expect([reply.status, await reply.json()]).toEqual([
      403,
      expect.objectContaining({ code: "service_worker_refused" }),
    ]);
  }
});

it("the console's page may ask the application server, whatever cors_origins names, and for the console's origin only", async () => {
  const allowed = async (Origin: string) =>
    (await get(`${app.url}/api/articles`, { Origin })).headers.get("access-control-allow-origin");
  expect(await allowed(app.consoleUrl)).toBe(app.consoleUrl);
  expect(await allowed("https://shop.example")).toBe("https://shop.example");
  expect(await allowed(app.provider.url)).toBeNull();
  const reply = await get(`${app.url}/api/articles`, { Origin: app.consoleUrl });
  expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
});

it("a fixed answer keeps its HTML, and is read by no other type than its own", async () => {
  const routes = [{ path: "/page", headers: { "Content-Type": "text/html" }, body: "<script>1</script>" }];
  await userFiles(app).loadRoutes({ routes });
  const { headers } = await get(`${app.url}/page`);
  expect([headers.get("content-type"), headers.get("x-content-type-options")]).toEqual(["text/html", "nosniff"]);
});

describe("every answer is read by no other type than its own", () => {
  const routes = [{ path: "/xml", headers: { "Content-Type": "text/xml" }, body: "<a/>" }];
  beforeAll(() => userFiles(app).loadRoutes({ routes }));

  it.each([
    ...["/", "/xml", "/api/articles", "/nothing/<script>", "/swagger/docs/v1", "/avatars/x.png", "/console/client.js"],
    ...["/console/", "/console/api/overview", "/healthz", "/%E0"],
  ])("at the application server's %s", async (path) => {
    expect((await get(app.url + path)).headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each([
    "/",
    "/<script>",
    "/pay/h5?prepay_id=<b>",
    "/sim/users",
    "/sim/users/<b>",
    "/cgi-bin/token",
    "/v3/certificates",
  ])("at the simulator's %s", async (path) => {
    expect((await get(app.provider.url + path)).headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each(["BREW / HTTP/1.1\r\nHost: localhost", "<script>", "GET / HTTP/1.1\r\n:"])(
    "where the request is no valid one: %j",
    async (request) => {
      expect(await requestText(app.port, `${request}\r\nConnection: close\r\n\r\n`)).toMatch(
        /^x-content-type-options: nosniff\r$/im,
      );
    },
  );
});

describe("no route of a user answers what may be read as the console's path", () => {
  beforeAll(async () => {
    const paths = ["/{a}", "/{a}/{b}", "/{a}/{b}/{c}", "/{a}/{b}/{c}/{d}"];
    await userFiles(app).loadRoutes({ routes: paths.map((path) => ({ path, body: "a user's" })) });
    expect(await (await get(`${app.url}/a/b`)).text()).toBe("a user's");
  });

  it.each([
    ...[
      "/./console/x",
      "/a/../console",
      "/a//../console/x",
      "//console",
      "/%2e/console",
      "/console\\x",
      "/%63onsole/x",
    ],
    ...["/CONSOLE/%61pi", "/a/%2e%2e/Console", "/swagger\\x", "/a/../swagger/x"],
  ])("%s", async (path) => {
    const sent = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    expect(await requestText(app.port, sent)).not.toContain("a user's");
  });
});

it("what a browser asks before a call of the console's phone is no recorded request: a mini-program does not ask", async () => {
  const ask = (Origin: string, path: string) =>
    fetch(app.url + path, { method: "OPTIONS", headers: { Origin, "Access-Control-Request-Method": "PUT" } });
  const answer = await ask(app.consoleUrl, "/api/asked-first");
  expect(answer.headers.get("access-control-allow-methods")).toContain("PUT");
  await ask("https://shop.example", "/api/asked-first");
  const list = await get(`${app.consoleUrl}/console/api/requests?path=/api/asked-first`, withToken);
  expect(((await list.json()) as { requests: unknown[] }).requests).toHaveLength(1);
});
