/** A free port that another program takes while the application server is away. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readOrigins, resolveSettings } from "../../../server/process/settings/read-settings.ts";
import { createNodeFork } from "../../../server/supervisor/processes/fork-node.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { startRun } from "../../../server/supervisor/run.ts";
import { asConsole } from "../../support/process/console-access.ts";
import { freePort } from "../../support/process/free-port.ts";
import { listen } from "../../support/process/listen.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { builtCommand, launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { sendSignal } from "../../support/process/processes.ts";

/** Takes a port as soon as it is free. */
async function take(port: number) {
  for (;;) {
    const server = createServer().listen(port, "127.0.0.1");
    const taken = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (taken) return { isHeld: () => server.listening, [Symbol.dispose]: () => void server.close() };
    await setImmediate();
  }
}
const portOf = (url: string) => Number(new URL(url).port);

it("a port that another program takes is given up: the server gets another one, and the ready file and the model service follow", async () => {
  await using hearth = launchHearth();
  const before = await hearth.ready();
  const app = await hearth.pidOf("app");
  // Hearth starts the server again only when the other program has the port.
  sendSignal(before.pid, "SIGSTOP");
  sendSignal(app, "SIGKILL");
  using other = await take(portOf(before.app));
  sendSignal(before.pid, "SIGCONT");
  const now = () => JSON.parse(readFileSync(hearth.readyFile, "utf8")) as ReadyFileContent;
  await expect.poll(() => now().app).not.toBe(before.app);
  const after = now();
  expect((await fetch(`${after.app}/healthz`)).status).toBe(200);
  expect(after).toMatchObject({ provider: before.provider, model: before.model, pid: before.pid });
  // A call of the model service is recorded where the application server is now.
  await fetch(`${after.model}/api/version?seen=after`);
  const token = new URL(after.console).searchParams.get("token");
  const recorded = async () =>
    (await fetch(`${after.app}/console/api/requests?q=seen`, { headers: { Authorization: `Bearer ${token}` } })).text();
  await expect.poll(recorded).toContain("/api/version");
  expect(other.isHeld()).toBe(true);
});

it("the server's own port, taken by another program, is waited for: the run goes on, says why, and serves there again", async () => {
  const port = await freePort();
  await using hearth = launchHearth({ flags: ["--app-port", String(port)] });
  const { app, model, pid } = await hearth.ready();
  const before = await hearth.statuses();
  sendSignal(pid, "SIGSTOP");
  sendSignal(before.app.pid, "SIGKILL");
  const other = await take(port);
  sendSignal(pid, "SIGCONT");
  await hearth.prints(`app is restarting reason=port ${String(port)} is in use by another program`);
  expect((await fetch(`${model}/api/version`)).status).toBe(200);
  other[Symbol.dispose]();
  const isBack = expect.poll(async () => (await fetch(`${app}/healthz`)).status).toBe(200);
  expect(await Promise.race([isBack.then(() => "it is back"), hearth.exited])).toBe("it is back");
  expect((await hearth.statuses()).model).toMatchObject({ pid: before.model.pid, restarts: 0 });
});

it("a port of another Hearth is refused by its process, data directory and ports, and with what to do", async () => {
  using shared = temporaryFolder(); // where the Hearths of one user find each other
  const env = { TMPDIR: shared.path };
  await using first = launchHearth({ env });
  const { pid, app, provider } = await first.ready();
  const [appPort, providerPort] = [app, provider].map((url) => String(portOf(url)));
  const flags = ["--app-port", appPort ?? "", "--provider-port", providerPort ?? ""];
  await using second = launchHearth({ env, flags });
  expect(await second.exited).toBe(1);
  expect(second.output()).toMatch(
    /hearth: port \d+ is used by Hearth .*start this one with --app-port 0 --provider-port 0\n$/,
  );
  expect(second.output()).toContain(`(pid ${String(pid)}, data directory ${first.dataDir}, ports ${appPort ?? ""}, `);
  expect(second.output()).toContain(`open --data-dir ${first.dataDir}", stop it, or`);
});

it("a restart on a port that another program has says so, and the server goes back to where it was", async () => {
  await using other = await listen((_request, response) => void response.end());
  await using hearth = launchHearth();
  const { app, console } = await hearth.ready();
  await fetch(`${app}/console/api/services/app/restarts`, {
    method: "POST",
    headers: { ...asConsole(console), "Content-Type": "application/json" },
    body: JSON.stringify({ port: portOf(other.url) }),
  });
  await Promise.race([hearth.prints(`port ${String(portOf(other.url))} is in use by another program`), hearth.exited]);
  const restarts = async () => (await hearth.statuses()).app.restarts;
  await expect.poll(() => restarts().catch(String)).toBe(2);
});

const killAndTake = `
  const { HEARTH_APP_URL: app, HEARTH_CONSOLE_URL: console } = process.env;
  const headers = { authorization: "Bearer " + new URL(console).searchParams.get("token") };
  const { services } = await (await fetch(app + "/console/api/overview", { headers })).json();
  const { pid } = services.find(({ name }) => name === "app");
  process.kill(process.ppid, "SIGSTOP");
  process.kill(pid, "SIGKILL");
  const { createServer } = await import("node:net");
  const goOn = () => process.kill(process.ppid, "SIGCONT");
  const take = () => createServer().on("error", () => setImmediate(take)).listen(Number(new URL(app).port), "127.0.0.1", goOn);
  take();
`;

it("a taken port is put down to the setting that names it, not to one that has the same number and is not used", async () => {
  await using other = await listen((_request, response) => void response.end());
  const port = String(portOf(other.url));
  await using hearth = launchHearth({ flags: ["--app-port", port, "--stand-in-port", port] });
  expect(await hearth.exited).toBe(1);
  expect(hearth.output()).toContain("choose another port with --app-port (setting app_port)");
});

it("a port that another program takes ends the run of `hearth exec`, whose command knows the old one", async () => {
  const exec = [builtCommand, "exec", "--", process.execPath, "--input-type=module", "-e", killAndTake] as const;
  const failed = await promisify(execFile)(process.execPath, exec, { env: plainEnvironment() }).then(
    () => undefined,
    (error: { code: number; stderr: string }) => error,
  );
  expect(failed?.code).toBe(1);
  expect(failed?.stderr).toMatch(/port \d+ is in use by another program/);
});

it.each(["app_port", "provider_port"] as const)(
  "is left for a free one where a person wants that, as %s",
  async (name) => {
    using data = temporaryFolder();
    await using other = await listen((_request, response) => void response.end());
    const taken = portOf(other.url);
    const free = { app_port: 0, provider_port: 0, model_port: 0 };
    const settings = resolveSettings({ data_dir: data.path, ...free, [name]: taken }, {}, data.path);
    const entry = (file: string) => join(dirname(builtCommand), `${file}.js`);
    const { promise: refused, resolve: onFatal } = Promise.withResolvers<number | undefined>();
    const { promise: ready, resolve: onReady } = Promise.withResolvers<ReadyFileContent>();
    const run = startRun({
      settings,
      version: "1.0.0",
      fork: createNodeFork(),
      entries: { app: entry("app"), model: entry("model"), runner: entry("runner") },
      env: plainEnvironment(),
      origins: readOrigins(settings),
      onLine: () => undefined,
      onStatus: () => undefined,
      onReady,
      onWarning: () => undefined,
      onFatal: (_reason, port) => onFatal(port),
    });
    try {
      expect(await refused).toBe(taken);
      run.leavePort(taken);
      const { app, provider } = await ready;
      expect([app, provider].map(portOf)).not.toContain(taken);
      for (const url of [app, provider]) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    } finally {
      await run.stop();
    }
  },
);
