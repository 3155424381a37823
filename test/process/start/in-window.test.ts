import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import electronBinary from "electron";
import { describe, expect, it } from "vitest";
import { chatOnce } from "../../support/model/chat.ts";
import { browserThatNotes } from "../../support/console/default-browser.ts";
import { siteOf } from "../../support/process/console-access.ts";
import { built, builtCommand, launchHearth } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { isRunning, sendSignal } from "../../support/process/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const inWindow = [process.execPath, builtCommand, "start"] as const;
const answers = async (url: string) => (await fetch(`${url}/healthz`)).status;

/** The way into the console of a run: its address, and a code that it has just made. */
const loginAddress = (console: string) =>
  expect.stringMatching(new RegExp(`^${siteOf(console)}/console/[?]code=[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$`));

describe("hearth start, where there is a display", () => {
  it("runs every service behind the window, and ends them all when it is stopped", async () => {
    // As in the terminal of an editor that is built on Electron.
    await using hearth = launchHearth({ command: inWindow, env: { ELECTRON_RUN_AS_NODE: "1" } });
    const { app, provider, model, pid } = await hearth.ready();
    expect(await Promise.all([app, provider, model ?? ""].map(answers))).toEqual([200, 200, 200]);
    expect(await chatOnce(model ?? "")).toMatchObject({ done: true });
    expect(pid).not.toBe(hearth.child.pid);
    const pids = await hearth.pids();
    hearth.child.kill("SIGTERM");
    expect(await hearth.exited).toBe(0);
    await expect.poll(() => pids.filter(isRunning)).toEqual([]); // Chromium's helpers end a moment later
    expect(existsSync(hearth.readyFile)).toBe(false);
    await expect.poll(() => hearth.leftovers()).toEqual([]);
  });

  it.each(["runner", "model"] as const)("goes on when the %s process is killed, and chats again", async (victim) => {
    await using hearth = launchHearth({ command: inWindow });
    const { app, provider, model } = await hearth.ready();
    sendSignal(await hearth.pidOf(victim), "SIGKILL");
    expect(await Promise.all([app, provider].map(answers))).toEqual([200, 200]);
    await expect.poll(async () => (await hearth.statuses())[victim]).toMatchObject({ state: "up", restarts: 1 });
    await expect.poll(() => chatOnce(model ?? "").catch(String)).toMatchObject({ done: true });
  });

  it.each(["the command", "Electron"])("leaves no process and no temporary file when %s is killed", async (victim) => {
    await using hearth = launchHearth({ command: inWindow });
    const { pid } = await hearth.ready();
    const pids = await hearth.pids();
    sendSignal(victim === "Electron" ? pid : hearth.child.pid, "SIGKILL");
    await hearth.exited;
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    await expect.poll(() => hearth.leftovers()).toEqual([]);
    await expect.poll(() => existsSync(hearth.readyFile)).toBe(false);
  });

  it("shows the window of the one that runs already instead of a second one", async () => {
    using data = temporaryFolder();
    await using first = launchHearth({ command: inWindow, dataDir: data.path });
    const { pid, app } = await first.ready();
    await using second = launchHearth({ command: inWindow, dataDir: data.path });
    expect(await second.exited).toBe(0);
    expect(second.output()).toContain(`Hearth is already running (pid ${pid}); its window is now in front`);
    expect(await answers(app)).toBe(200);
  });

  it("says in the terminal why the application server cannot run, and exits with 1 once the window is closed", async () => {
    const otherProgram: RequestListener = (_request, response) => void response.end();
    await using other = await listen(otherProgram);
    const { port } = new URL(other.url);
    await using hearth = launchHearth({ command: inWindow, flags: ["--app-port", port] });
    await hearth.prints(`hearth: the application server cannot run: port ${port} is in use`);
    hearth.child.kill("SIGTERM");
    expect(await hearth.exited).toBe(1);
  });

  it("says where an error that nobody has foreseen comes from, and ends with 1", async () => {
    using data = temporaryFolder();
    mkdirSync(join(data.path, "window"));
    writeFileSync(join(data.path, "window", "logs"), "");
    await using hearth = launchHearth({ command: inWindow, dataDir: data.path });
    expect(await hearth.exited).toBe(1);
    expect(hearth.output()).toMatch(/^hearth: Error: EEXIST.*\n +at /m);
  });

  it("opens the browser, and says why, when Electron ends before it has begun", async () => {
    using folder = temporaryFolder();
    const line = "[7:1127/225820.1:ERROR:ui/aura/env.cc:246] The platform failed to initialize.";
    writeFileSync(join(folder.path, "electron"), `#!/bin/sh\necho "${line}" >&2\nkill -TRAP $$\n`, { mode: 0o755 });
    const browser = browserThatNotes(folder.path);
    await using hearth = launchHearth({
      command: inWindow,
      env: { ELECTRON_OVERRIDE_DIST_PATH: folder.path, ...browser.env },
    });
    const { console: address } = await hearth.ready();
    await hearth.prints(
      `${line}\nhearth: the window cannot open, the console opens in the browser instead: Electron ended with SIGTRAP`,
    );
    await expect.poll(browser.opened).toEqual(loginAddress(address));
  });

  it("opens the browser, and says why, when there is no Electron", async () => {
    using empty = temporaryFolder();
    const browser = browserThatNotes(empty.path);
    await using hearth = launchHearth({
      command: inWindow,
      env: { ELECTRON_OVERRIDE_DIST_PATH: empty.path, ...browser.env },
    });
    const { app, console: address } = await hearth.ready();
    expect(await answers(app)).toBe(200);
    await hearth.prints("hearth: the window cannot open, the console opens in the browser instead: ELECTRON_OVERRIDE");
    await expect.poll(browser.opened).toEqual(loginAddress(address));
  });
});

describe("Electron with the checkout's program", () => {
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const electron = electronBinary as unknown as string; // in Node the package is the path of its binary

  it("keeps to the flags behind the program, as the hearth command does", async () => {
    await using hearth = launchHearth({ command: [electron, ...asRoot, built("electron")] });
    const addresses = await hearth.ready();
    const ports = [addresses.app, addresses.provider, addresses.model ?? ""].map((url) => Number(new URL(url).port));
    for (const port of ports) expect([3080, 3081, 11434]).not.toContain(port);
    expect(existsSync(join(hearth.dataDir, "hearth.db"))).toBe(true);
  });

  it("refuses a flag that it does not have", async () => {
    await using hearth = launchHearth({ command: [electron, ...asRoot, built("electron")], flags: ["--no-such-flag"] });
    expect(await hearth.exited).toBe(2);
    expect(hearth.output()).toContain("unknown flag --no-such-flag");
  });
});

describe("hearth --headless --open", () => {
  it("opens the console in the default browser", async () => {
    using folder = temporaryFolder();
    const browser = browserThatNotes(folder.path);
    await using hearth = launchHearth({ command: inWindow, flags: ["--headless", "--open"], env: browser.env });
    const { console: address } = await hearth.ready();
    await expect.poll(browser.opened).toEqual(loginAddress(address));
  });
});
