import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ServiceName } from "../../../server/contract/process/services.ts";
import type { Settings } from "../../../server/contract/process/settings.ts";
import { readOrigins, resolveSettings } from "../../../server/process/settings/read-settings.ts";
import type { Fork } from "../../../server/supervisor/processes/child.ts";
import { createNodeFork } from "../../../server/supervisor/processes/fork-node.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { prepareDataDir } from "../../../server/supervisor/data-directory/prepare-data-dir.ts";
import { startRun } from "../../../server/supervisor/run.ts";
import { RunError } from "../../../server/supervisor/run-error.ts";
import { isRunning, sendSignal } from "../../support/process/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const entry = fileURLToPath(new URL("../../support/process/scripted-service.ts", import.meta.url));
const freePorts = { app_port: 0, provider_port: 0, model_port: 0 };

/** What a scripted service says that it was given. */
async function readFacts(target: { url: string } | { socketPath: string }): Promise<Record<string, string>> {
  const asked = "url" in target ? get(`${target.url}/facts`) : get({ ...target, path: "/facts" });
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return (await json(response)) as Record<string, string>;
}

/** A run of three scripted services, with the behaviour of each by name. */
function startScripted(overrides: Partial<Settings>, behaviours: Partial<Record<ServiceName, string>> = {}) {
  const folder = temporaryFolder();
  const settings = resolveSettings({ data_dir: folder.path, ...freePorts, ...overrides }, {}, folder.path);
  const nodeFork = createNodeFork();
  const fork: Fork = (request) => {
    const scripted = {
      SCRIPTED_NAME: request.name,
      SCRIPTED_BEHAVIOUR: behaviours[request.name as ServiceName] ?? "well",
    };
    return nodeFork({ ...request, env: { ...request.env, ...scripted } });
  };
  const { promise: ready, resolve: onReady } = Promise.withResolvers<ReadyFileContent>();
  const { promise: fatal, resolve: onFatal } = Promise.withResolvers<string>();
  const { promise: warned, resolve: onWarning } = Promise.withResolvers<string>();
  const run = startRun({
    settings,
    version: "1.2.0",
    fork,
    entries: { app: entry, model: entry, runner: entry },
    env: { PATH: process.env["PATH"] },
    origins: readOrigins(settings),
    onLine: () => undefined,
    onStatus: () => undefined,
    onReady,
    onWarning,
    onFatal,
    times: { firstPauseMs: 10 },
  });
  const status = (name: ServiceName) => run.statuses().find((one) => one.name === name);
  return {
    run,
    ready,
    fatal,
    warned,
    status,
    folder: folder.path,
    facts: async (name: ServiceName) => readFacts({ url: `${status(name)?.urls[name]}` }),
    async [Symbol.asyncDispose]() {
      await run.stop();
      folder[Symbol.dispose]();
    },
  };
}

describe("a run", () => {
  it("gives its processes the settings, app and model one token, the runner its socket and one worker", async () => {
    await using scripted = startScripted({ log_level: "warn" });
    await scripted.ready;
    const [app, model] = [await scripted.facts("app"), await scripted.facts("model")];
    expect(app).toMatchObject({ settings: { log_level: "warn" } });
    expect(Buffer.from(app["token"] ?? "", "base64url")).toHaveLength(32);
    expect(model["token"]).toBe(app["token"]);
    expect(statSync(dirname(model["socket"] ?? "")).mode & 0o777).toBe(0o700);
    expect(app["workers"]).toBeUndefined();
    const runner = await readFacts({ socketPath: model["socket"] ?? "" });
    expect(runner).toMatchObject({ workers: "1" });
    expect(runner["token"]).toBeUndefined();
  });

  it("writes the ready file when every service answers and removes it and the socket's folder at the end", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "ready.json");
    writeFileSync(file, JSON.stringify({ app: "a", provider: "p", model: null, console: "c", pid: 1 }));
    const scripted = startScripted({ ready_file: file });
    expect(existsSync(file)).toBe(false);
    const addresses = await scripted.ready;
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(addresses);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(addresses).toMatchObject({ pid: process.pid, app: scripted.status("app")?.urls["app"] });
    expect(addresses.console).toMatch(/^http:.*\/console\/\?token=[\w-]{43}$/);
    for (const url of [addresses.app, addresses.provider, addresses.model ?? ""])
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const { socket } = await scripted.facts("model");
    await scripted[Symbol.asyncDispose]();
    expect(existsSync(file)).toBe(false);
    expect(existsSync(dirname(socket ?? ""))).toBe(false);
  });

  it("takes over a ready file that is empty, and removes only what it has written itself", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "ready.json");
    writeFileSync(file, "");
    const scripted = startScripted({ ready_file: file });
    await scripted.ready;
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ pid: process.pid });
    writeFileSync(file, "mine");
    await scripted[Symbol.asyncDispose]();
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  it("notes a database beside the data, without its password, until it runs without one", async () => {
    using folder = temporaryFolder();
    const [file, url] = [join(folder.path, "database.txt"), "postgres://hearth:never-to-be-shown@localhost/hearth"];
    {
      await using scripted = startScripted({ data_dir: folder.path, database_url: url });
      await scripted.ready;
      expect([readFileSync(file, "utf8"), statSync(file).mode & 0o077]).toEqual([
        "postgres://hearth@localhost/hearth\n",
        0,
      ]);
    }
    await using scripted = startScripted({ data_dir: folder.path });
    await scripted.ready;
    expect(existsSync(file)).toBe(false);
  });

  it("is ready with model null when the model service cannot run, and says why", async () => {
    await using scripted = startScripted({}, { model: "refuses" });
    expect((await scripted.ready).model).toBeNull();
    expect(scripted.status("model")).toMatchObject({ state: "down", reason: expect.stringContaining("port 1") });
    expect((await scripted.facts("app"))["services"]).toContainEqual(expect.objectContaining({ state: "down" }));
  });

  it("ends with the application server's own error when that cannot run", async () => {
    await using scripted = startScripted({}, { app: "refuses" });
    expect(await scripted.fatal).toBe(
      "the application server cannot run: port 1 is in use; choose another with --app-port",
    );
  });

  it("ends when the ready file cannot be written, and names it", async () => {
    using folder = temporaryFolder();
    const gone = join(folder.path, "gone");
    mkdirSync(gone);
    await using scripted = startScripted({ ready_file: join(gone, "ready.json") });
    rmdirSync(gone);
    expect(await scripted.fatal).toMatch(/^ready file .*ready\.json cannot be written \(ENOENT\).*--ready-file$/);
  });

  it("goes on when the ready file cannot be written later, says so, and writes it once it can", async () => {
    using folder = temporaryFolder();
    const place = join(folder.path, "place");
    const file = join(place, "ready.json");
    mkdirSync(place);
    await using scripted = startScripted({ ready_file: file });
    const { app } = await scripted.ready;
    rmSync(place, { recursive: true });
    await fetch(`${app}/restart-model`);
    expect(await Promise.race([scripted.warned, scripted.fatal])).toMatch(
      /^the addresses of this run have changed; ready file .*ready\.json cannot be written \(ENOENT\)/,
    );
    mkdirSync(place);
    await fetch(`${app}/restart-model`);
    await expect.poll(() => existsSync(file)).toBe(true);
    const written = JSON.parse(readFileSync(file, "utf8")) as ReadyFileContent;
    expect(written.model).toBe(scripted.status("model")?.urls["model"]);
  });

  it("goes on without the runner when the folder of its socket is lost, says so, and starts it again when asked", async () => {
    await using scripted = startScripted({});
    await scripted.ready;
    const { socket = "" } = await scripted.facts("model");
    rmSync(dirname(socket), { recursive: true });
    writeFileSync(dirname(socket), "");
    sendSignal(scripted.status("runner")?.pid, "SIGKILL");
    const isDown = expect.poll(() => scripted.status("runner")?.state).toBe("down");
    expect(await Promise.race([isDown.then(() => "the runner is down"), scripted.fatal])).toBe("the runner is down");
    expect(scripted.status("runner")?.reason).toMatch(/^the runner's folder .* belongs to another program$/);
    rmSync(dirname(socket));
    scripted.run.restart("runner");
    await expect.poll(() => scripted.status("runner")?.state).toBe("up");
  });

  it("keeps the ports that were taken for 0 when a service is started again", async () => {
    await using scripted = startScripted({});
    const before = await scripted.ready;
    sendSignal(scripted.status("model")?.pid, "SIGKILL");
    await expect.poll(() => scripted.status("model")).toMatchObject({ state: "up", restarts: 1 });
    expect(scripted.status("model")?.urls["model"]).toBe(before.model);
  });

  it("restarts a service for the application server, on another port and with a new ready file", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "ready.json");
    await using scripted = startScripted({ ready_file: file });
    const before = await scripted.ready;
    await fetch(`${before.app}/restart-model`);
    await expect.poll(() => scripted.status("model")).toMatchObject({ state: "up", restarts: 1 });
    const after = JSON.parse(readFileSync(file, "utf8")) as ReadyFileContent;
    expect(after.model).toBe(scripted.status("model")?.urls["model"]);
    expect(after.model).not.toBe(before.model);
  });

  it("leaves no process when it stops", async () => {
    const scripted = startScripted({});
    await scripted.ready;
    const pids = scripted.run.statuses().map(({ pid = 0 }) => pid);
    await scripted[Symbol.asyncDispose]();
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("names the data directory and the setting when that cannot be made", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    expect(() => prepareDataDir({ data_dir: join(file, "data") })).toThrow(RunError);
    expect(() => prepareDataDir({ data_dir: join(file, "data") })).toThrow(
      /file.data cannot be written \(ENOTDIR\).*--data-dir/,
    );
  });
});
