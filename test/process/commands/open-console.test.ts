/** The ways into the console that Hearth prints, opens and hands out. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readReadyFile } from "../../../server/supervisor/ready-file.ts";
import { browserThatNotes } from "../../support/console/default-browser.ts";
import { siteOf } from "../../support/process/console-access.ts";
import { builtCommand, launchHearth, plainEnvironment, type Launched } from "../../support/process/launch.ts";
import { isRunning, sendSignal } from "../../support/process/processes.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { eventually } from "../../support/eventually.ts";

const opened = (address: string) => fetch(address, { redirect: "manual" });
const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? "";
const statusWith = async (console: string, headers: Record<string, string>) =>
  (await fetch(`${siteOf(console)}/console/api/overview`, { headers })).status;

describe("hearth serve, where standard output is no terminal", () => {
  it("prints the console's address without a way in, how to get one, and the token nowhere", async () => {
    for (const flags of [[], ["--json"], ["--log-level", "trace"]]) {
      await using hearth = launchHearth({ flags });
      const { console: address } = await hearth.ready();
      await hearth.prints(`${siteOf(address)}/console/`);
      const token = new URL(address).searchParams.get("token") ?? "";
      expect(token).toHaveLength(43);
      await opened(address);
      hearth.child.kill("SIGTERM");
      await hearth.exited;
      expect(hearth.output()).not.toContain(token);
      expect(hearth.output()).not.toMatch(/code=/);
      if (!flags.includes("--json")) expect(hearth.output()).toMatch(/ {2}Log in +node \S+ open --print --data-dir /);
    }
  });
});

describe("a run", () => {
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

  it("lets one browser in, once, by the address that hearth open --print prints", async () => {
    const { console: address } = await hearth.ready();
    const { code, stdout, stderr } = await runCommand(["open", "--print", "--data-dir", data.path]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`^${siteOf(address)}/console/[?]code=[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\n$`));
    const first = await opened(stdout.trim());
    expect(await statusWith(address, { Cookie: cookieOf(first) })).toBe(200);
    expect((await opened(stdout.trim())).headers.get("location")).toBe("/console/#login=refused");
  });

  it("is opened by hearth open in the default browser where there is a display, and its address printed where there is none", async () => {
    using folder = temporaryFolder();
    const { console: address } = await hearth.ready();
    const browser = browserThatNotes(folder.path);
    const env = { ...browser.env, DISPLAY: ":1" };
    const { stdout } = await runCommand(["open", "--data-dir", data.path], env);
    expect(stdout).toBe(`Opening the console in the browser: ${siteOf(address)}/console/\n`);
    await expect.poll(browser.opened).toContain("?code=");
    expect((await opened(browser.opened() ?? "")).headers.get("location")).toBe("/console/");
    const bare = await runCommand(["open", "--data-dir", data.path], { DISPLAY: "", WAYLAND_DISPLAY: "" });
    expect(bare.stdout).toContain("?code=");
  });

  it("knows a browser again when the application server has crashed, and hands out codes again", async () => {
    const { console: address } = await hearth.ready();
    const cookie = { Cookie: cookieOf(await opened(address)) };
    expect(cookie.Cookie).not.toContain(new URL(address).searchParams.get("token"));
    const pid = await hearth.pidOf("app");
    sendSignal(pid, "SIGKILL");
    await expect.poll(() => statusWith(address, cookie).catch(String)).toBe(200);
    expect(await hearth.pidOf("app")).not.toBe(pid);
    expect((await runCommand(["open", "--print", "--data-dir", data.path])).stdout).toContain("?code=");
  });

  it("prints the console's token, and nothing else, for a script", async () => {
    const { console: address } = await hearth.ready();
    const printed = await runCommand(["token", "--console", "--data-dir", data.path]);
    expect(printed).toEqual({ code: 0, stdout: `${new URL(address).searchParams.get("token") ?? ""}\n`, stderr: "" });
    expect(await statusWith(address, { Authorization: `Bearer ${printed.stdout.trim()}` })).toBe(200);
    const both = await runCommand(["token", "ada", "--console", "--data-dir", data.path]);
    expect(both).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining('"hearth login ada"') });
    using other = temporaryFolder();
    const none = await runCommand(["token", "--console", "--data-dir", other.path]);
    expect(none).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("o Hearth uses the data directory"),
    });
  });

  it("answers hearth devices that the door to the network is shut, and in the server's words what it cannot do", async () => {
    const devices = (...args: string[]) => runCommand(["devices", ...args, "--data-dir", data.path]);
    const shut = { code: 0, stdout: expect.stringContaining("Hearth is closed to devices") };
    expect(await devices()).toMatchObject(shut);
    expect(await devices("off")).toMatchObject(shut);
    const unknown = { code: 1, stderr: expect.stringMatching(/No network interface "nowhere9"/) };
    expect(await devices("on", "--interface", "nowhere9")).toMatchObject(unknown);
    const nobody = { code: 1, stderr: expect.stringContaining("Device 234567 is not waiting") };
    expect(await devices("let-in", "234567")).toMatchObject(nobody);
    expect(await devices("let-in")).toMatchObject({ code: 2, stderr: expect.stringContaining("needs a device id") });
  });

  it("leaves its addresses and token in the data directory for its user alone, and takes them away at the end", async () => {
    const addresses = await hearth.ready();
    const file = join(data.path, "run.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(addresses);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    hearth.child.kill("SIGTERM");
    await hearth.exited;
    expect(existsSync(file)).toBe(false);
  });
});

describe("another run", () => {
  it("is not found by hearth open once it was killed, though its file is still there", async () => {
    using data = temporaryFolder();
    const args = ["open", "--print", "--data-dir", data.path];
    const refused = { code: 1, stdout: "", stderr: expect.stringContaining("no Hearth uses the data directory") };
    expect(await runCommand(args)).toMatchObject(refused);
    await using hearth = launchHearth({ dataDir: data.path });
    await hearth.ready();
    const pids = await hearth.pids();
    hearth.child.kill("SIGKILL");
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    expect(existsSync(join(data.path, "run.json"))).toBe(true);
    expect(await runCommand(args)).toMatchObject(refused);
    expect(await runCommand(["open", "me"])).toMatchObject({ code: 2, stderr: expect.stringContaining("me") });
  });

  it("takes the console's token from the environment, and refuses a short one", async () => {
    const token = "a-token-that-a-container-gives-itself";
    await using hearth = launchHearth({ env: { HEARTH_CONSOLE_TOKEN: token } });
    const { console: address } = await hearth.ready();
    expect(address).toBe(`${siteOf(address)}/console/?token=${token}`);
    expect(await statusWith(address, { Authorization: `Bearer ${token}` })).toBe(200);
    await using short = launchHearth({ env: { HEARTH_CONSOLE_TOKEN: "short" } });
    expect(await short.exited).toBe(1);
    expect(short.output()).toMatch(/^hearth: HEARTH_CONSOLE_TOKEN must have 32 to 512 .*\n$/);
  });
});

/** Runs a shell's script around `hearth serve` in a terminal of its own, by util-linux's script. */
function inTerminal(script: (serve: string) => string) {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  const ports = "--app-port 0 --provider-port 0 --model-port 0";
  const serve = `'${process.execPath}' '${builtCommand}' serve --data-dir '${dataDir}' ${ports}`;
  const env = { ...plainEnvironment(), SHELL: "/bin/sh" };
  const args = ["-qefc", script(serve), "/dev/null"];
  const terminal = spawn("script", args, { env, stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(terminal, "close");
  let output = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  return {
    dataDir,
    output: () => output,
    press: (keys: string) => void terminal.stdin.write(keys),
    async [Symbol.asyncDispose]() {
      sendSignal(readReadyFile(join(dataDir, "run.json")).pid, "SIGTERM");
      await closed;
      folder[Symbol.dispose]();
    },
  };
}

describe("in a terminal", () => {
  const addresses = (output: string) => [...output.matchAll(/http:\S+[?]code=[\w-]{14}/g)].map(([address]) => address);

  it("hearth serve prints an address to log in with, and another by Enter", async () => {
    await using terminal = inTerminal((serve) => serve);
    await eventually(() => expect(terminal.output()).toContain("(press Enter for a new address)"));
    expect(terminal.output()).toMatch(/Hearth \S+ is ready[^]*Console.* {2}\S*http:\S+[?]code=\S+/);
    terminal.press("\n");
    await eventually(() => expect(new Set(addresses(terminal.output())).size).toBe(2));
    for (const address of addresses(terminal.output()))
      expect((await opened(address)).headers.get("location")).toBe("/console/");
  });

  it("hearth serve in the background reads no keys, for which the system would stop it", async () => {
    await using terminal = inTerminal((serve) => `set -m; ${serve} & wait`);
    await eventually(() => expect(terminal.output()).toMatch(/Hearth \S+ is ready/));
    for (let n = 0; n < 2; n++) {
      terminal.press("\n");
      // It is the process with the terminal that answers this command first.
      const { stdout } = await runCommand(["open", "--print", "--data-dir", terminal.dataDir]);
      expect((await opened(stdout.trim())).headers.get("location")).toBe("/console/");
    }
    expect(addresses(terminal.output())).toHaveLength(1);
  });
});
