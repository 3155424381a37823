/** `hearth devices` asks the Hearth that runs on its data directory, as the page of the console does. */
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { LanInterface } from "../../server/contract/console/machine/lan-access-endpoints.ts";
import { takeInstanceLock } from "../../server/supervisor/data-directory/instance-lock.ts";
import { runFileIn, writeReadyFile } from "../../server/supervisor/ready-file.ts";
import { callFrom, lanAddress, lanControl, wifi } from "../support/app/lan-caller.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";
import { commandHere } from "../support/command-here.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const cable: LanInterface = { ...wifi, name: "cable0" };
const network: { interfaces: LanInterface[] } = { interfaces: [] };
let app: TestApp;
let release: () => Promise<void>;
beforeAll(async () => {
  app = await startTestApp({ interfaces: () => network.interfaces });
  const taken = await takeInstanceLock(folder.path, () => ({ pid: process.pid, window: false }));
  if (!("lock" in taken)) throw new Error("the data directory is taken");
  release = () => taken.lock.release();
  const console = `${app.url}/console/?token=${consoleToken}`;
  const { url } = app;
  writeReadyFile(runFileIn(folder.path), { pid: process.pid, app: url, provider: url, model: null, console });
});
afterAll(async () => {
  await release();
  await app[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});
beforeEach(() => {
  network.interfaces = [wifi];
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => void vi.restoreAllMocks());

const devices = (...args: string[]) =>
  commandHere(["devices", ...args], { env: { HEARTH_DATA_DIR: folder.path }, cwd: folder.path });
const view = async () => (await lanControl(app.url, "GET")).body;

it("lets everybody in who is on the network until it is told to let devices in without", async () => {
  const statusAfter = async (...args: string[]) => {
    await devices("on", ...args);
    return (await callFrom({ port: app.port, path: "/api/articles" })).status;
  };
  expect(await statusAfter("--everyone")).toBe(401);
  expect(await statusAfter()).toBe(403);
});

it("offers the application server at the likeliest interface, whatever was said the last time", async () => {
  network.interfaces = [wifi, cable];
  await devices("on", "--services", "app,provider", "--interface", cable.name);
  expect(await view()).toMatchObject({ interface: cable.name, services: ["app", "provider"] });
  await devices("off");
  await devices("on");
  expect(await view()).toMatchObject({ interface: wifi.name, services: ["app"] });
});

it("says why nobody listens, as where the port is taken", async () => {
  await devices("off");
  const taken = createServer().listen(app.port, lanAddress);
  await once(taken, "listening");
  try {
    await expect(devices("on")).rejects.toThrow(`Port ${app.port} is used by another program at ${lanAddress}.`);
  } finally {
    taken.close();
  }
});

it("begins at another interface where that of last time has gone, which is waited for while it is on", async () => {
  const change = (body: object) => lanControl(app.url, "PATCH", "", body);
  await devices("on");
  network.interfaces = [cable];
  expect((await change({ services: ["provider"] })).body).toMatchObject({ interface: wifi.name });
  await change({ enabled: false });
  expect((await change({ enabled: true })).body).toMatchObject({
    interface: cable.name,
    listeners: [{ url: expect.anything() }],
  });
});
