import type { RequestListener } from "node:http";
import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { siteOf } from "../support/process/console-access.ts";
import { patienceMs } from "../support/eventually.ts";
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
    const named = ["actOnUpdate", "changeDesktop", "chooseFolder", "desktop", "electron", "loginCode"];
    named.push("offerWayBack", "onShowPage", "onUpdate", "openDataFolder", "openInBrowser", "pathOf", "takeFiles");
    named.push("updateState");
    expect(await inPage("Object.keys(hearthWindow).sort()")).toEqual(named);
  });

  it("has a menu where text or a link is clicked with the right button, and none beside them", async () => {
    const { electron, page } = window;
    // What would be on the screen is noted instead.
    await electron.evaluate(({ clipboard, Menu }) => {
      void clipboard.writeText("to paste");
      const menus: string[][] = [];
      Object.assign(globalThis, { menus });
      Menu.prototype.popup = function () {
        menus.push(this.items.map(({ label }) => label));
      };
    });
    const menus = () => electron.evaluate(() => (globalThis as unknown as { menus: string[][] }).menus);
    await page.getByRole("heading", { name: "Services" }).click({ button: "right" });
    await page.getByRole("link", { name: "Collections" }).click({ button: "right" });
    await expect.poll(menus).toEqual([["Copy Link"]]);
    await window.open("Collections");
    const field = page.getByRole("textbox", { name: "Search in items" });
    await field.fill("Ada");
    await field.selectText();
    await field.click({ button: "right" });
    await expect.poll(async () => (await menus()).at(-1)).toEqual(["Cut", "Copy", "Paste", "Select All"]);
    await field.fill("");
    // What is typed goes into the address after a pause.
    await expect.poll(() => page.url()).not.toContain("Ada");
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
    const into = new RegExp(
      `^${siteOf(window.addresses.console)}/console/[?]code=[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$`,
    );
    await expect.poll(async () => (await openedOutside()).at(-1)).toMatch(into);
    expect(JSON.stringify(await openedOutside())).not.toContain(
      new URL(window.addresses.console).searchParams.get("token"),
    );
  });

  describe("Electron's security checklist", () => {
    const preferences = () =>
      window.electron.evaluate(({ BrowserWindow }) => {
        // Not in its types: what the page was really made with.
        const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
          getLastWebPreferences(): Record<string, unknown>;
        };
        return contents.getLastWebPreferences();
      });

    it.each([
      ["2: pages have no Node", "nodeIntegration", false],
      ["2: frames have no Node", "nodeIntegrationInSubFrames", false],
      ["2: workers have no Node", "nodeIntegrationInWorker", false],
      ["3: pages and preload script are isolated", "contextIsolation", true],
      ["4: pages run in the sandbox", "sandbox", true],
      ["6: the same-origin policy holds", "webSecurity", true],
      ["8: no insecure content is mixed in", "allowRunningInsecureContent", false],
      ["9: no experimental features are on", "experimentalFeatures", false],
      ["10: no features of Blink are switched on", "enableBlinkFeatures", ""],
      ["11 and 12: there are no web views", "webviewTag", false],
    ])("%s", async (_item, name, value) => {
      expect((await preferences())[name] ?? false).toBe(value);
    });

    it("1 and 18: shows only what the console's own server serves, and no file", async () => {
      const loaded = (await inPage("performance.getEntriesByType('resource').map(({ name }) => name)")) as string[];
      expect(loaded.length).toBeGreaterThan(0);
      expect(
        loaded.filter((url) => !/^(data|blob):/.test(url) && new URL(url).origin !== siteOf(window.addresses.console)),
      ).toEqual([]);
      const before = window.page.url();
      await inPage("void (location.href = 'file:///etc/passwd')");
      expect(await inPage("fetch('file:///etc/passwd').then(() => 'read', () => 'refused')")).toBe("refused");
      expect(window.page.url()).toBe(before);
    });

    it("7: the page's policy lets no foreign and no written script run", async () => {
      const run =
        "{ const script = document.createElement('script'); script.textContent = 'window.ran = 1'; document.body.append(script); }";
      await inPage(`(() => ${run})()`);
      expect(await inPage("typeof window.ran")).toBe("undefined");
      const evaluated = "import('data:text/javascript,export default 1').then(() => 'ran', () => 'refused')";
      expect(await inPage(evaluated)).toBe("refused");
    });

    it("17: what does not come from a page of the console is not answered", async () => {
      const code = "hearthWindow.loginCode()";
      expect(await inPage(code)).toMatch(/^[0-9A-Z]{4}-/);
      const isConsole = (frame: Frame) => frame.url().startsWith(siteOf(window.addresses.console));
      // The next test finds the page where it was: Playwright learns of it later than Electron.
      const isBack = window.page.waitForEvent("framenavigated", isConsole);
      const asked = await window.electron.evaluate(async ({ BrowserWindow }, script) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        const address = contents?.getURL() ?? "";
        await contents?.loadURL("data:text/html,<h1>elsewhere</h1>");
        const answer: unknown = await contents?.executeJavaScript(script);
        await contents?.loadURL(address);
        return String(answer);
      }, code);
      expect(asked).toBe("undefined");
      await isBack;
    });

    it("20: no API of Electron reaches the page", async () => {
      const functions = "Object.values(hearthWindow).filter((one) => typeof one === 'object').length";
      expect(await inPage(functions)).toBe(0);
      expect(await inPage("'ipcRenderer' in globalThis || 'electron' in globalThis")).toBe(false);
    });
  });
});

describe("a window that is closed", () => {
  it("ends every process", async () => {
    await using window = await openWindow();
    const pids = await window.electron.evaluate(({ app }) => app.getAppMetrics().map(({ pid }) => pid));
    expect(pids.length).toBeGreaterThanOrEqual(5);
    const ended = window.electron.waitForEvent("close", { timeout: patienceMs });
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
