/** Devices of the local network while somebody moves the simulated clock. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { callConsole } from "../../support/app/control-calls.ts";
import { callFrom, lanControl } from "../../support/app/lan-caller.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await lanControl(app.url, "PATCH", "", { enabled: true, services: ["app"] });
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => callConsole(app, "DELETE", "/clock"));

const days = (count: number) => ({ advance_ms: count * 86_400_000 });
const statusFrom = async (from: string) => (await callFrom({ port: app.port, path: "/api/articles", from })).status;
const waitingAt = async (from: string) =>
  (await lanControl(app.url, "GET")).body.waiting.find(({ address }) => address === from);

it("one that was let in stays so", async () => {
  await statusFrom("127.0.0.3");
  await lanControl(app.url, "PUT", `/devices/${(await waitingAt("127.0.0.3"))?.id ?? ""}`);
  await callConsole(app, "PUT", "/clock", days(1));
  expect(await statusFrom("127.0.0.3")).toBe(401);
});

it("one that waits goes on waiting, and is seen when it calls", async () => {
  await callConsole(app, "PUT", "/clock", days(1));
  await statusFrom("127.0.0.4");
  const device = await waitingAt("127.0.0.4");
  expect(Date.parse(device?.seen_at ?? "")).toBeLessThanOrEqual(Date.now());
  await callConsole(app, "PUT", "/clock", days(1));
  expect(await waitingAt("127.0.0.4")).toEqual(device);
});
