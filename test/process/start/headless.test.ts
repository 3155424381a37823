import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type RequestListener } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { siteOf } from "../../support/process/console-access.ts";
import { chatOnce } from "../../support/model/chat.ts";
import { builtCommand, launchHearth, type Launched } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { isRunning, sendSignal } from "../../support/process/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const answers = async (url: string) => (await fetch(`${url}/healthz`)).status;

/** The addresses of this machine but the one that Hearth listens at; one of them is on every machine. */
const otherAddresses = [
  "127.0.0.2",
  ...Object.values(networkInterfaces())
    .flatMap((one) => one ?? [])
    .filter(({ address, scopeid }) => address !== "127.0.0.1" && !scopeid)
    .map(({ address }) => address),
];

/** What happens to who connects to an address. */
async function connecting(host: string, url: string): Promise<string> {
  const socket = connect({ host, port: Number(new URL(url).port) });
  try {
    await once(socket, "connect");
    return "connected";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "";
  } finally {
    socket.destroy();
  }
}

describe("hearth serve", () => {
  it("answers with every service, at loopback alone, prints the console's address and leaves nothing when told to stop", async () => {
    await using hearth = launchHearth();
    const { app, provider, model, pid, console: page } = await hearth.ready();
    expect(await Promise.all([app, provider, model ?? ""].map(answers))).toEqual([200, 200, 200]);
    for (const address of otherAddresses)
      for (const url of [app, provider, model ?? "", siteOf(page)])
        expect(await connecting(address, url), `${address}, ${url}`).toBe("ECONNREFUSED");
    expect(await chatOnce(model ?? "")).toMatchObject({ done: true });
    await hearth.prints(`Console   ${siteOf(page)}/console/`);
    expect(pid).toBe(hearth.child.pid);
    const pids = await hearth.pids();
    expect(pids.filter(isRunning)).toHaveLength(4);

    hearth.child.kill("SIGTERM");
    expect(await hearth.exited).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(hearth.readyFile)).toBe(false);
    expect(hearth.leftovers()).toEqual([]);
  });

  it("prints JSON lines only with --json, a warning of a misspelt variable among them", async () => {
    await using hearth = launchHearth({ flags: ["--json"], env: { HEARTH_APP_PROT: "3090" } });
    const { app, console: address } = await hearth.ready();
    await hearth.prints('"msg":"ready"');
    hearth.child.kill("SIGTERM");
    await hearth.exited;
    const lines = hearth.output().trim().split("\n");
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries).toContainEqual(
      expect.objectContaining({ service: "hearth", msg: "ready", app, console: `${siteOf(address)}/console/` }),
    );
    const msg = "unknown variable HEARTH_APP_PROT has no effect; did you mean HEARTH_APP_PORT?";
    expect(entries).toContainEqual(expect.objectContaining({ level: "warn", service: "hearth", msg }));
  });

  it("is reached by this machine and its commands at loopback, whatever address it listens on", async () => {
    const inNetwork = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
    const host = inNetwork.find(({ internal, family }) => !internal && family === "IPv4")?.address ?? "0.0.0.0";
    using data = temporaryFolder();
    await using hearth = launchHearth({ dataDir: data.path, flags: ["--host", host, "--payment-version", "v3"] });
    const { app, provider, model } = await hearth.ready();
    for (const url of [app, provider, model ?? ""]) expect(new URL(url).hostname).toBe("127.0.0.1");
    const token = await promisify(execFile)(process.execPath, [builtCommand, "login", "ada", "--data-dir", data.path]);
    const headers = { Authorization: `Bearer ${token.stdout.trim()}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ description: "Tea", amount: 199 });
    // Version 3 reads the keys that it signs with from the simulator's control routes.
    expect((await fetch(`${app}/api/orders`, { method: "POST", headers, body })).status).toBe(201);
    expect(await answers(app.replace("127.0.0.1", host))).toBe(200);
  });

  describe("in one run after another over a data directory", () => {
    const data = temporaryFolder();
    let hearth: Launched;
    beforeAll(async () => {
      hearth = launchHearth({ dataDir: data.path });
      await hearth.ready();
    });
    afterAll(async () => {
      await hearth[Symbol.asyncDispose]();
      data[Symbol.dispose]();
    });

    it.each(["runner", "model"] as const)("goes on when the %s process is killed, and chats again", async (victim) => {
      const { app, provider, model } = await hearth.ready();
      await chatOnce(model ?? "");
      const before = await hearth.statuses();
      sendSignal(await hearth.pidOf(victim), "SIGKILL");
      const others = victim === "runner" ? [app, provider, model ?? ""] : [app, provider];
      expect(await Promise.all(others.map(answers))).toEqual(others.map(() => 200));
      await expect.poll(async () => (await hearth.statuses())[victim]).toMatchObject({ state: "up", restarts: 1 });
      await expect.poll(() => chatOnce(model ?? "").catch(String)).toMatchObject({ done: true });
      expect((await hearth.statuses()).app).toMatchObject({ restarts: 0, pid: before.app?.pid });
    });

    it("refuses the data directory to another one, and says who has it and which ports", async () => {
      const { pid, app, provider, model, console: address } = await hearth.ready();
      const ports = [app, address, provider, model ?? ""].map((url) => new URL(url).port).join(", ");
      await using second = launchHearth({ dataDir: data.path });
      const text = `hearth: the data directory ${data.path} is in use by another Hearth (pid ${pid}, ${siteOf(address)}/console/, ports ${ports}); stop it, or choose another with --data-dir\n`;
      expect([await second.exited, second.output()]).toEqual([1, text]);
      expect(await answers(app)).toBe(200);
    });

    it("starts again at once after it was killed with SIGKILL, which leaves no process and no temporary file", async () => {
      const killed = hearth;
      const pids = await killed.pids();
      killed.child.kill("SIGKILL");
      await killed.exited;
      hearth = launchHearth({ dataDir: data.path });
      expect(await answers((await hearth.ready()).app)).toBe(200);
      await expect.poll(() => pids.filter(isRunning)).toEqual([]);
      expect(killed.leftovers()).toEqual([]);
      await killed[Symbol.asyncDispose]();
    });

    it("goes on when its output is no longer read, and ends properly", async () => {
      const { app } = await hearth.ready();
      hearth.child.stdout.destroy();
      hearth.child.stderr.destroy();
      sendSignal(await hearth.pidOf("runner"), "SIGKILL");
      await expect.poll(async () => (await hearth.statuses()).runner).toMatchObject({ state: "up", restarts: 1 });
      expect(await answers(app)).toBe(200);
      hearth.child.kill("SIGTERM");
      expect(await hearth.exited).toBe(0);
    });
  });
});

describe("a start that fails", () => {
  const otherProgram: RequestListener = (_request, response) => void response.writeHead(404).end("somebody else");
  const portOf = (url: string) => new URL(url).port;

  it.each(["app", "provider"])("names the port and the setting when the %s port is in use", async (name) => {
    await using other = await listen(otherProgram);
    await using hearth = launchHearth({ flags: [`--${name}-port`, portOf(other.url)] });
    expect(await hearth.exited).toBe(1);
    const events = hearth
      .output()
      .split("\n")
      .filter((line) => line.includes(`port ${portOf(other.url)} is in use`));
    expect(events).toEqual([expect.stringContaining(`--${name}-port`)]);
    expect(hearth.leftovers()).toEqual([]);
  });

  it("runs without the model service when another program has its port, and says why", async () => {
    await using other = await listen(otherProgram);
    await using hearth = launchHearth({ flags: ["--model-port", portOf(other.url)] });
    const { app, model } = await hearth.ready();
    expect(model).toBeNull();
    expect(await answers(app)).toBe(200);
    const status = (await hearth.statuses()).model;
    expect(status).toMatchObject({ state: "down", reason: expect.stringContaining("--model-port") });
  });

  it("uses an Ollama that has the model port already", async () => {
    const ollama: RequestListener = (request, response) =>
      void response.end(request.url === "/api/version" ? '{"version":"0.99.0"}' : "Ollama is running");
    await using other = await listen(ollama);
    await using hearth = launchHearth({ flags: ["--model-port", portOf(other.url)] });
    expect(new URL((await hearth.ready()).model ?? "").port).toBe(portOf(other.url));
    expect((await hearth.statuses()).model).toMatchObject({ state: "external" });
  });

  it("names a data directory that cannot be written, and the setting", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    await using hearth = launchHearth({ flags: ["--data-dir", join(file, "data")] });
    expect(await hearth.exited).toBe(1);
    expect(hearth.output()).toMatch(/^hearth: data directory .*file.data cannot be written .*--data-dir\n$/);
  });

  it("names a ready file that cannot be written, and the setting", async () => {
    await using hearth = launchHearth({ flags: ["--ready-file", "/no/such/folder/ready.json"] });
    expect(await hearth.exited).toBe(1);
    expect(hearth.output()).toMatch(/^hearth: ready file .*ready.json cannot be written .*--ready-file\n$/);
  });

  it.each([
    [["--prot", "1"], "hearth: unknown flag --prot; --help lists them\n"],
    [["--app-port", "x"], 'hearth: --app-port: "x" is not valid (not a number)\n'],
    [["launch"], "hearth: unknown command launch (did you mean watch?); --help lists them\n"],
  ])("exits with 2 and one line for %j", async (flags, line) => {
    await using hearth = launchHearth({ command: [process.execPath, builtCommand], flags });
    expect(await hearth.exited).toBe(2);
    expect(hearth.output()).toBe(line);
  });

  it("refuses a ready file that it has not written, and leaves it as it is", async () => {
    using folder = temporaryFolder();
    const [notes = "", manifest = "", directory = "", link = ""] = ["notes", "package.json", "folder", "link"].map(
      (name) => join(folder.path, name),
    );
    writeFileSync(notes, "mine");
    writeFileSync(manifest, '{"pid": 1}');
    mkdirSync(directory);
    symlinkSync(notes, link);
    for (const file of [notes, manifest, directory, link]) {
      await using hearth = launchHearth({ flags: ["--ready-file", file] });
      expect(await hearth.exited).toBe(1);
      expect(hearth.output()).toBe(
        `hearth: ready file ${file} already exists and was not written by Hearth; choose another with --ready-file\n`,
      );
    }
    expect([readFileSync(notes, "utf8"), readFileSync(manifest, "utf8")]).toEqual(["mine", '{"pid": 1}']);
    expect(readdirSync(folder.path)).toHaveLength(4);
  });

  it("takes nothing that opens this machine from the file of a working directory", async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "hearth.config.json"), JSON.stringify({ host: "0.0.0.0" }));
    await using hearth = launchHearth({ cwd: folder.path });
    expect(await hearth.exited).toBe(2);
    expect(hearth.output()).toContain("hearth.config.json: host: must not be set in a working directory's file");
  });

  it("takes a setting from hearth.config.json in the data directory", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "data"));
    writeFileSync(join(folder.path, "data", "hearth.config.json"), JSON.stringify({ log_level: "loud" }));
    await using hearth = launchHearth({ dataDir: join(folder.path, "data") });
    expect(await hearth.exited).toBe(2);
    expect(hearth.output()).toContain('hearth.config.json: log_level: "loud" is not valid');
    expect(readFileSync(join(folder.path, "data", "hearth.config.json"), "utf8")).toContain("loud");
  });
});

describe("an old Node", () => {
  /** A stand-in for the oldest Node that npm start supports: the real one is not on every machine. */
  it("hands the command to the Node that the checkout brings along, and takes it away with itself", async () => {
    using folder = temporaryFolder();
    const script = join(folder.path, "old-node.mjs");
    writeFileSync(script, 'Object.defineProperty(process.versions, "node", { value: "20.0.0" });');
    await using hearth = launchHearth({
      command: [process.execPath, "--import", pathToFileURL(script).href, builtCommand, "serve"],
    });
    await hearth.ready();
    const pids = await hearth.pids();
    expect(pids).not.toContain(hearth.child.pid);
    hearth.child.kill("SIGKILL");
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    expect(hearth.leftovers()).toEqual([]);
  });
});

describe("hearth --help and --version", () => {
  it("print and exit with 0, whatever runs", async () => {
    await using help = launchHearth({ flags: ["--help"] });
    expect(await help.exited).toBe(0);
    expect(help.output()).toContain("--ready-file FILE");
    await using version = launchHearth({ flags: ["--version"] });
    expect(await version.exited).toBe(0);
    expect(version.output()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
