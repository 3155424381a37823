/** What open requests may still do while a server ends, whichever way they came. */
import { once } from "node:events";
import { request, ServerResponse, type IncomingMessage } from "node:http";
import { afterEach, expect, it, vi } from "vitest";
import { callFrom, lanAddress, lanControl } from "../../support/app/lan-caller.ts";
import { consoleToken, startTestApp } from "../../support/app/test-app.ts";
import { patienceMs } from "../../support/eventually.ts";
import { openRequest } from "../../support/process/open-request.ts";

afterEach(() => vi.restoreAllMocks());

it("a device's request may be finished like any other while the server ends, and nobody begins one there", async () => {
  await using app = await startTestApp();
  const from = "127.0.0.3";
  await lanControl(app.url, "PATCH", "", { enabled: true });
  await callFrom({ port: app.port, from });
  const [device] = (await lanControl(app.url, "GET")).body.waiting;
  await lanControl(app.url, "PUT", `/devices/${device?.id ?? ""}`);
  const body = JSON.stringify(await app.sim("ada", "login"));
  const login = request({
    ...{ host: lanAddress, port: app.port, path: "/api/sessions", method: "POST", localAddress: from },
    headers: { "content-type": "application/json", "content-length": body.length, expect: "100-continue" },
  });
  const answered = once(login, "response") as Promise<[IncomingMessage]>;
  login.flushHeaders();
  await once(login, "continue");
  const closing = app.close(patienceMs);
  await expect.poll(() => callFrom({ port: app.port, from }).catch(String)).toMatch("ECONNREFUSED");
  login.end(body);
  // It takes the simulator's answer, too.
  expect((await answered)[0].resume().statusCode).toBe(201);
  await closing;
});

it("the simulator, which ends last, has what is left of the time for open requests", async () => {
  await using app = await startTestApp();
  const close = vi.spyOn(app.provider, "close");
  const underWay = await openRequest(`${app.url}/api/sessions`, {}, await app.sim("ada", "login"));
  const closing = app.close(patienceMs);
  await expect.poll(() => fetch(app.url).catch(() => "refused")).toBe("refused");
  expect(await underWay.end()).toBe(201);
  await closing;
  expect(close.mock.lastCall?.[0]).toBeLessThan(patienceMs);
});

it("open requests have all of their time, however long what ends before the listeners takes", async () => {
  let later = 0;
  const now = performance.now.bind(performance);
  const end = Reflect.get(ServerResponse.prototype, "end") as (...args: unknown[]) => ServerResponse;
  vi.spyOn(performance, "now").mockImplementation(() => now() + later);
  vi.spyOn(ServerResponse.prototype, "end").mockImplementation(function (this: ServerResponse, ...args) {
    if (String(this.getHeader("content-type")).startsWith("text/event-stream")) later = 2 * patienceMs;
    return Reflect.apply(end, this, args);
  });
  await using app = await startTestApp();
  const headers = { authorization: `Bearer ${consoleToken}` };
  expect((await fetch(`${app.url}/console/api/events/stream`, { headers })).status).toBe(200);
  const underWay = await openRequest(`${app.url}/api/sessions`, {}, await app.sim("ada", "login"));
  expect(later).toBe(0);
  const closing = app.close(patienceMs);
  await expect.poll(() => fetch(app.url).catch(() => "refused")).toBe("refused");
  expect(later).toBeGreaterThan(0);
  expect(await underWay.end()).toBe(201);
  await closing;
});
