import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestText } from "../support/raw-request.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await mkdir(join(app.folder, "renderer"), { recursive: true });
  await writeFile(join(app.folder, "renderer", "index.html"), "<!doctype html><title>Hearth</title>");
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers, redirect: "manual" });

describe("the console", () => {
  it("exchanges the token in the address for a cookie that scripts cannot read, and takes the token out of the address", async () => {
    const response = await get(`/console/?token=${consoleToken}`);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/console/"]);
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Strict/i);
    expect(cookie).toContain(`hearth_console_${String(app.port)}=`);
    const overview = await get("/console/api/overview", { Cookie: cookie.split(";")[0] ?? "" });
    expect(overview.status).toBe(200);
    expect(await overview.text()).not.toContain(consoleToken);
  });

  it("serves its page for every path of it, with a policy that allows no foreign content", async () => {
    const response = await get("/console/uploads/12");
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("<title>Hearth</title>")]);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  });

  it("answers 401 without the token, 403 for a wrong one in the address", async () => {
    expect((await get("/console/api/overview")).status).toBe(401);
    expect((await get("/console/api/overview", { Authorization: "Bearer wrong" })).status).toBe(401);
    expect((await get("/console/?token=wrong")).status).toBe(403);
  });

  it("refuses pages of other origins, and other names for this machine", async () => {
    const authorized = { Authorization: `Bearer ${consoleToken}` };
    expect((await get("/console/api/overview", { ...authorized, Origin: "http://localhost:1" })).status).toBe(403);
    expect((await get("/console/api/overview", { ...authorized, Origin: app.url })).status).toBe(200);
    const text = await requestText(
      app.port,
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
    expect((await get("/api/articles", { Authorization: `Bearer ${access_token}` })).status).toBe(200);
  });

  it("passes a restart on to the supervisor, with the port asked for", async () => {
    const restart = (name: string, body?: object) =>
      app.post(`${app.url}/console/api/services/${name}/restarts`, body, { Authorization: `Bearer ${consoleToken}` });
    expect((await restart("model", { port: 11500 })).status).toBe(202);
    expect(app.restarts).toContainEqual({ type: "restart", service: "model", port: 11500 });
    expect((await restart("nothing")).status).toBe(400);
  });

  it("answers 503 for a service that is down, and passes a running one's reply through", async () => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    expect((await get("/console/api/model/api/tags", headers)).status).toBe(503);
    expect(await (await get("/console/api/provider/healthz", headers)).json()).toEqual({ status: "ok" });
  });
});
