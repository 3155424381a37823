/** What the window shows, saves and survives, whatever a page does. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { siteOf } from "../support/process/console-access.ts";
import { listen } from "../support/process/listen.ts";
import { readWhenWritten } from "../support/process/read-when-written.ts";
import { servicePid } from "../support/process/service-statuses.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { delayNoLonger } from "../support/console/delay-answers.ts";
import { runInPage } from "../support/console/in-page.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

/** What happened in Electron's main process. */
interface Noted {
  /** Addresses that would have opened in the user's browser. */
  opened: string[];
  /** Navigations and redirects: what they were about, and whether they were prevented. */
  led: [event: string, url: string, prevented: boolean][];
  /** What was asked in a dialog, which `answer` (the number of a button) answers. */
  asked: string[];
  answer: number;
}

let window: HearthWindow;
beforeAll(async () => {
  window = await openWindow();
  await window.electron.evaluate(({ shell, dialog, BrowserWindow }) => {
    const noted: Noted = { opened: [], led: [], asked: [], answer: 0 };
    Object.assign(globalThis, { noted });
    shell.openExternal = async (url) => void noted.opened.push(url);
    const answer = async (_window: unknown, { message }: { message: string }) => {
      noted.asked.push(message);
      return { response: noted.answer, checkboxChecked: false };
    };
    Object.assign(dialog, { showMessageBox: answer });
    const [shown] = BrowserWindow.getAllWindows();
    shown?.webContents.on("will-frame-navigate", ({ url, defaultPrevented }) =>
      noted.led.push(["navigate", url, defaultPrevented]),
    );
    shown?.webContents.on("will-redirect", ({ url, defaultPrevented }) =>
      noted.led.push(["redirect", url, defaultPrevented]),
    );
  });
});
afterAll(() => window[Symbol.asyncDispose]());

const noted = () => window.electron.evaluate(() => (globalThis as unknown as { noted: Noted }).noted);
const inPage = (script: string) => runInPage(window.electron, script);
const address = () =>
  window.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());

describe("the window's pages", () => {
  it.each(["/console/api/overview", "/CONSOLE/API/overview", "/%63onsole/requests", "/swagger", "/console.html"])(
    "are only the console's, not %s",
    async (path) => {
      const [before, url] = [await address(), `${siteOf(window.addresses.console)}${path}`];
      await inPage(`void (location.href = ${JSON.stringify(path)})`);
      await expect.poll(async () => (await noted()).led).toContainEqual(["navigate", url, true]);
      expect(await address()).toBe(before);
    },
  );

  it.each([
    (of: string) => `${of}/console/api/provider/sim/orders`,
    () => `${window.addresses.app}/console/client.ts`,
    () => `${window.addresses.app}/swaggers`,
  ])("show only the API description in a frame, no other page of a server: %#", async (of) => {
    const url = of(siteOf(window.addresses.console));
    await inPage(`{
      const frame = Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(url)} });
      const note = (event) => (window.refused = [event.effectiveDirective, event.blockedURI]);
      document.addEventListener("securitypolicyviolation", note, { once: true });
      document.body.append(frame);
    }`);
    // Of another origin a page learns no more than that.
    const blocked = url.startsWith(window.addresses.app) ? window.addresses.app : url;
    await expect.poll(() => inPage("window.refused")).toEqual(["frame-src", blocked]);
    await inPage("document.querySelector('iframe').remove()");
  });

  it("are not navigated away by a server's answer", async () => {
    await using elsewhere = await listen((_request, response) => response.end("elsewhere"));
    const [before, target] = [await address(), `${elsewhere.url}/led`];
    await window.electron.evaluate(
      ({ BrowserWindow }, { from, to }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.session.webRequest.onHeadersReceived(
          { urls: [from] },
          (_details, answer) => answer({ statusLine: "HTTP/1.1 302 Found", responseHeaders: { Location: [to] } }),
        ),
      { from: `${siteOf(window.addresses.console)}/console/led`, to: target },
    );
    await inPage("void (location.href = '/console/led')");
    await expect.poll(async () => (await noted()).led).toContainEqual(["redirect", target, true]);
    expect(await address()).toBe(before);
    expect((await noted()).opened).not.toContain(target);
  });

  it("hand over links of the web that hold no password, and those to the console with a way in", async () => {
    const links = [
      "https://user:secret@example.org/",
      "vscode://file/etc",
      "https://example.org/x",
      "/console/events?q=1",
    ];
    for (const url of links) await inPage(`void window.open(${JSON.stringify(url)})`);
    await expect
      .poll(async () => (await noted()).opened.at(-1))
      .toMatch(/[?]q=1&code=[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    const { opened } = await noted();
    expect(opened.filter((one) => /user|vscode/.test(one))).toEqual([]);
    expect(opened).toContain("https://example.org/x");
    const into = opened.at(-1) ?? "";
    expect(into).toContain(`${siteOf(window.addresses.console)}/console/events?`);
    expect((await fetch(into, { redirect: "manual" })).headers.get("location")).toBe("/console/events?q=1");
  });
});

describe("a download", () => {
  it("goes where a person says, and only what the console itself makes is taken", async () => {
    using folder = temporaryFolder();
    await using elsewhere = await listen((_request, response) => response.end("elsewhere"));
    const file = join(folder.path, "saved.txt");
    await window.electron.evaluate(({ BrowserWindow, app }, path) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      contents?.session.on("will-download", ({ defaultPrevented }, item) => {
        const proposed = item.getSaveDialogOptions().defaultPath?.replace(app.getPath("downloads"), "DOWNLOADS");
        const { noted: notes } = globalThis as unknown as { noted: Noted };
        notes.asked.push(`${item.getURL().slice(0, 5)} ${String(proposed)} ${String(defaultPrevented)}`);
        if (!defaultPrevented) item.setSavePath(path);
      });
    }, file);
    const link = "{ href: URL.createObjectURL(new Blob(['kept'])), download: 'chat.md' }";
    await inPage(`Object.assign(document.createElement('a'), ${link}).click()`);
    expect(await readWhenWritten(file)).toBe("kept");
    await window.electron.evaluate(
      ({ BrowserWindow }, url) => BrowserWindow.getAllWindows()[0]?.webContents.downloadURL(url),
      `${elsewhere.url}/program.sh`,
    );
    const [ours, foreign] = [`blob: ${join("DOWNLOADS", "chat.md")} false`, "http:  true"];
    await expect.poll(async () => (await noted()).asked).toEqual([ours, foreign]);
  });
});

describe("a page that ends or hangs", () => {
  beforeAll(() => delayNoLonger(window.page));

  const heading = () => inPage("document.querySelector('h1')?.textContent");
  const crash = () =>
    window.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
  /** A crashed page is told by what it no longer has. */
  const mark = () => expect.poll(() => inPage("window.marked = true")).toBe(true);
  const isFresh = () => inPage("window.marked === undefined && document.querySelector('h1') !== null");

  it("is asked about when it hangs, and loaded again when a person says so", async () => {
    const before = await address();
    await mark();
    await window.electron.evaluate(({ BrowserWindow }) => {
      (globalThis as unknown as { noted: Noted }).noted.answer = 1;
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      void contents?.executeJavaScript("for (;;);").catch(() => undefined);
      // Chromium, which would notice by itself, does not where something debugs the page, as this test does.
      contents?.emit("unresponsive");
    });
    await expect.poll(async () => (await noted()).asked).toContain("The page does not respond.");
    await expect.poll(isFresh).toBe(true);
    expect(await address()).toBe(before);
  });

  it("comes back by itself where it was, at once, and when it ends too often after it has said so", async () => {
    const before = await address();
    await window.electron.evaluate(({ BrowserWindow }) => {
      const { noted: notes } = globalThis as unknown as { noted: Noted };
      BrowserWindow.getAllWindows()[0]?.webContents.on("did-navigate", (_event, url) => notes.opened.push(url));
      // However long it takes here, these ends count as one soon after the other.
      const [at, real] = [Date.now(), { now: Date.now.bind(Date) }];
      Date.now = () => at;
      Object.assign(globalThis, { letTimePass: () => Object.assign(Date, real) });
    });
    for (let crashes = 0; crashes < 2; crashes++) {
      await mark();
      await crash();
      await expect.poll(isFresh).toBe(true);
      expect(await address()).toBe(before);
    }
    await crash();
    const said = encodeURIComponent("The page crashed several times");
    await expect.poll(async () => (await noted()).opened.some((url) => url.includes(said))).toBe(true);
    await expect.poll(heading).toBe("Overview");
    expect(await address()).toBe(before);
    await window.electron.evaluate(() => void (globalThis as unknown as { letTimePass: () => void }).letTimePass());
  });

  it("is there again with the application server, where it could not be loaded while that was away", async () => {
    await window.electron.evaluate(
      ({ BrowserWindow, utilityProcess }, pid) => {
        const { noted: notes } = globalThis as unknown as { noted: Noted };
        const page = BrowserWindow.getAllWindows()[0]?.webContents;
        // Until then it does not get up again.
        const fork = utilityProcess.fork.bind(utilityProcess);
        utilityProcess.fork = (entry, ...more) => fork(`${entry}.missing`, ...more);
        page?.once("did-fail-load", () => {
          utilityProcess.fork = fork;
          notes.opened.push("nothing");
        });
        // oxlint-disable-next-line no-restricted-properties -- it has to be away before anything else happens here
        process.kill(pid, "SIGKILL");
        page?.reload();
      },
      await servicePid(window.addresses, "app"),
    );
    await expect.poll(async () => (await noted()).opened).toContain("nothing");
    await expect.poll(heading).toBe("Overview");
  });
});

describe("the window's session", () => {
  it("is separate", async () => {
    const own = await window.electron.evaluate(
      ({ BrowserWindow, session }) => BrowserWindow.getAllWindows()[0]?.webContents.session !== session.defaultSession,
    );
    expect(own).toBe(true);
    expect(existsSync(join(window.dataDir, "window", "Partitions", "console"))).toBe(true);
  });
});
