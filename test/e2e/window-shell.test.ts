import type { RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../support/process/listen.ts";
import { isRunning } from "../support/process/processes.ts";
import { openWindow, openWindowThatFails, type HearthWindow } from "../support/console/window.ts";

describe("the window's shell", () => {
  let window: HearthWindow;
  beforeAll(async () => {
    window = await openWindow();
    // What would open in the user's browser is noted instead.
    await window.electron.evaluate(({ shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = async (url) => void opened.push(url);
    });
  });
  afterAll(() => window[Symbol.asyncDispose]());

  const openedOutside = () => window.electron.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  /** Runs a script in the page, as text: the page's own types are not those of this file. */
  const inPage = (script: string): Promise<unknown> => window.page.evaluate(script);

  it("gives the page no Node and only the named calls", async () => {
    expect(await inPage("[typeof require, typeof process, typeof module]")).toEqual(Array(3).fill("undefined"));
    const named = ["chooseFolder", "electron", "loginCode", "openDataFolder", "openInBrowser"];
    expect(await inPage("Object.keys(hearthWindow).sort()")).toEqual(named);
  });

  it("opens no second window: links lead to the browser, and only web addresses do", async () => {
    expect(await inPage("window.open('https://example.org/a') === null")).toBe(true);
    expect(await inPage("window.open('file:///etc/passwd') === null")).toBe(true);
    await expect.poll(openedOutside).toEqual(["https://example.org/a"]);
    expect(window.electron.windows()).toHaveLength(1);
  });

  it("does not leave the console", async () => {
    const before = window.page.url();
    await inPage("location.href = 'https://example.org/b'");
    await expect.poll(openedOutside).toContain("https://example.org/b");
    expect(window.page.url()).toBe(before);
  });

  it("grants the page no permission but writing to the clipboard", async () => {
    expect(await inPage("Notification.requestPermission()")).toBe("denied");
    const ask = "navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'granted', (error) => error.name)";
    expect(await inPage(ask)).not.toBe("granted");
    expect(await inPage("navigator.clipboard.writeText('copied').then(() => 'written')")).toBe("written");
  });

  it("opens the console in the browser for the page, with a code and without the run's token", async () => {
    await inPage("hearthWindow.openInBrowser()");
    const into = new RegExp(`^${window.addresses.app}/console/[?]code=[0-9A-Z]{4}-[0-9A-Z]{4}$`);
    await expect.poll(async () => (await openedOutside()).at(-1)).toMatch(into);
    expect(JSON.stringify(await openedOutside())).not.toContain(
      new URL(window.addresses.console).searchParams.get("token"),
    );
  });
});

describe("a window that is closed", () => {
  it("ends every process", async () => {
    await using window = await openWindow();
    const pids = await window.electron.evaluate(({ app }) => app.getAppMetrics().map(({ pid }) => pid));
    expect(pids.length).toBeGreaterThanOrEqual(5);
    const ended = window.electron.waitForEvent("close");
    await window.page.close();
    await ended;
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });
});

describe("a start that fails", () => {
  it("is explained in the window, in words that name the setting", async () => {
    const otherProgram: RequestListener = (_request, response) => void response.end();
    await using other = await listen(otherProgram);
    const port = Number(new URL(other.url).port);
    await using window = await openWindowThatFails({ app_port: port });
    await expect.poll(() => window.page.getByRole("alert").textContent()).toContain(`port ${port} is in use`);
    expect(await window.page.getByRole("alert").textContent()).toContain("--app-port");
  });
});
