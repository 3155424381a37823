import { describe, expect, it } from "vitest";
import { refuseBy } from "../../server/http/conventions/error-handler.ts";
import { pipeline } from "../../server/http/pipeline.ts";
import { listen } from "../support/process/listen.ts";
import { recordedLog } from "../support/quiet-log.ts";
import { consoleToken, startTestApp } from "../support/app/test-app.ts";

const authorized = { Authorization: `Bearer ${consoleToken}` };

describe("a server that is not ready", () => {
  it("answers 503 with Retry-After under /api in maintenance, while the console goes on", async () => {
    await using app = await startTestApp({ settings: { maintenance: true } });
    const response = await fetch(`${app.url}/api/articles`);
    expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
      503,
      "60",
      expect.objectContaining({ code: "maintenance" }),
    ]);
    expect((await fetch(`${app.url}/console/api/overview`, { headers: authorized })).status).toBe(200);
  });

  it("answers 503 with Retry-After while the event loop is late, and answers again when it is not", async () => {
    await using app = await startTestApp();
    app.lag.ms = 5000;
    const response = await fetch(`${app.url}/api/articles`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    app.lag.ms = 0;
    expect((await fetch(`${app.url}/api/articles`)).status).toBe(401);
  });

  it("answers 500 without innards when the database fails", async () => {
    await using app = await startTestApp();
    const headers = await app.loggedIn();
    await app.db.schema.dropTable("records").execute();
    const response = await fetch(`${app.url}/api/articles`, { headers });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/sqlite|records|table/i);
  });
});

it("answers 503 with Retry-After when a file cannot be opened because too many are", async () => {
  const { log } = recordedLog();
  const readFile = () => {
    throw Object.assign(new Error("EMFILE: too many open files, open 'x'"), { code: "EMFILE" });
  };
  await using service = await listen(pipeline([readFile], refuseBy(log, { indent: 0, relaxed: false })));
  const response = await fetch(`${service.url}/file`);
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await response.json()).toMatchObject({ code: "too_many_open_files" });
});

describe("the ban list", () => {
  it("answers 403 to a banned address until the ban is lifted, and 400 to what is no address", async () => {
    await using app = await startTestApp();
    const ban = (method: string, ip: string) =>
      fetch(`${app.url}/console/api/bans/${ip}`, { method, headers: authorized });
    expect((await ban("PUT", "127.0.0.1")).status).toBe(204);
    const refused = await fetch(`${app.url}/api/articles`);
    expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: "ip_banned" })]);
    expect((await ban("DELETE", "127.0.0.1")).status).toBe(204);
    expect((await fetch(`${app.url}/api/articles`)).status).toBe(401);
    expect((await ban("PUT", "everybody")).status).toBe(400);
  });
});
