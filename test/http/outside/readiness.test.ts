import { describe, expect, it } from "vitest";
import { consoleToken, startTestApp } from "../../support/app/test-app.ts";
import { startRulesService } from "../../support/model/model-service.ts";
import { forkApp } from "../../support/process/forked-app.ts";
import { openRequest } from "../../support/process/open-request.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const authorized = { Authorization: `Bearer ${consoleToken}` };
const at = async (url: string, path: string) => {
  const reply = await fetch(url + path);
  return [reply.status, await reply.json()];
};

describe("/livez and /readyz", () => {
  it("answer 200 at every service", async () => {
    await using app = await startTestApp();
    await using model = await startRulesService({});
    for (const url of [app.url, app.provider.url, model.url])
      for (const path of ["/livez", "/readyz", "/healthz"])
        expect(await at(url, path)).toEqual([200, { status: "ok" }]);
  });

  it("have no X-Request-Id, as other answers do", async () => {
    await using app = await startTestApp();
    const idOf = async (path: string, sent: string) =>
      (await fetch(app.url + path, { headers: { "X-Request-Id": sent } })).headers.get("x-request-id");
    for (const path of ["/livez", "/readyz", "/healthz"]) expect(await idOf(path, "mine")).toBeNull();
    expect(await idOf("/api/articles", "mine")).toBe("mine");
    expect(await idOf("/api/articles", "m".repeat(65))).toMatch(/^[\w-]{1,64}$/);
  });

  it("tell apart what lives from what takes requests: in maintenance, overloaded, and while it is being ended", async () => {
    await using app = await startTestApp();
    app.settings.maintenance = true;
    expect(await at(app.url, "/readyz")).toEqual([503, { status: "maintenance" }]);
    app.settings.maintenance = false;
    app.lag.ms = 5000;
    expect(await at(app.url, "/readyz")).toEqual([503, { status: "overloaded" }]);
    app.drain.hasBegun = true;
    expect(await at(app.url, "/readyz")).toEqual([503, { status: "draining" }]);
    expect(await at(app.url, "/livez")).toEqual([200, { status: "ok" }]);
    app.lag.ms = 0;
    const answered = await fetch(`${app.url}/api/articles`, { headers: await app.loggedIn() });
    expect([answered.status, answered.headers.get("connection")]).toEqual([200, "close"]);
  });
});

it("a server that closes ends its event streams at once, so that their readers connect elsewhere", async () => {
  await using app = await startTestApp();
  const stream = await fetch(`${app.url}/console/api/events/stream`, { headers: authorized });
  const all = stream.text();
  const closing = app.close(60_000);
  expect(await all).toContain("retry:");
  await closing;
});

it("at SIGTERM a server is first not ready, then answers what is open, and ends with 0", async () => {
  using folder = temporaryFolder();
  await using app = await forkApp(folder.path, { shutdown_delay_seconds: 10, drain_seconds: 300 });
  const headers = { Authorization: `Bearer ${await app.logIn()}` };
  const open = await openRequest(`${app.url}/api/articles`, headers, { title: "Tea" });
  app.terminate();
  await expect.poll(() => at(app.url, "/readyz")).toEqual([503, { status: "draining" }]);
  const answers = () =>
    fetch(`${app.url}/readyz`).then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(false);
  expect(await open.end()).toBe(201);
  expect(await app.ended).toBe(0);
});
