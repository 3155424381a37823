/** What goes with the reader over all pages: palette, keys, live lists and the overview of what runs. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import decodeQR from "qr/decode.js";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { siteOf } from "../support/process/console-access.ts";
import type { Overview } from "../../server/contract/console/console.ts";
import { consoleOf } from "../support/console/console-scene.ts";
import { pressInRow, violationsOf } from "../support/console/console-page.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

const run = promisify(execFile);
const clients = fileURLToPath(new URL("../clients/", import.meta.url));

let window: HearthWindow;
beforeAll(async () => {
  window = await openWindow(undefined, { host: "0.0.0.0" });
});
afterAll(() => window[Symbol.asyncDispose]());

const press = async (...keys: string[]) => {
  for (const key of keys) await window.page.keyboard.press(key);
};
const notify = (df: string, ev = "create") =>
  fetch(`${window.addresses.app}/api/inotify/`, { method: "POST", body: new URLSearchParams({ df, ev }) });
const search = () => new URL(window.page.url()).searchParams;
const rows = () => window.page.getByRole("row");

describe("the command palette", () => {
  it("opens by Ctrl-K, finds pages and actions by their names, and does them", async () => {
    const { page } = window;
    await page.getByRole("heading", { name: "Services" }).waitFor();
    await press("Control+k");
    const palette = page.getByRole("dialog", { name: "Pages and actions" });
    await palette.getByPlaceholder("Find a page or an action").fill("theme: dark");
    await expect.poll(() => violationsOf(page)).toEqual([]);
    const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
    // The last keys of an input method neither choose an entry nor close the palette.
    for (const code of ["Enter", "Escape"])
      await page.locator(":focus").dispatchEvent("keydown", { key: code, code, keyCode: 229 });
    expect(await scheme()).not.toBe("dark");
    await press("Enter");
    await expect.poll(scheme).toBe("dark");

    await page.getByRole("button", { name: "Go to…" }).click();
    await palette.getByPlaceholder("Find a page or an action").fill("watch a folder");
    await press("Enter");
    await page.waitForURL(/file-events\?folder=new$/);
  });
});

describe("the keyboard", () => {
  it("goes to a page by g and its letter, and shows every key by a question mark", async () => {
    const { page } = window;
    await window.open("Overview");
    await pressInRow(page, "g", "e");
    await page.waitForURL(/console\/events/);
    await rows().nth(1).waitFor();
    await press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.getByText("Next row").waitFor();
    await expect.poll(() => violationsOf(page)).toEqual([]);
    // Where somebody dictates, single keys do nothing.
    await keys.getByRole("switch", { name: "Single keys" }).click();
    await press("Escape");
    await keys.waitFor({ state: "hidden" });
    await pressInRow(page, "g", "o", "?");
    expect(await keys.isVisible()).toBe(false);
    expect(page.url()).toContain("/events");
    await press("Control+k");
    await page.getByPlaceholder("Find a page or an action").fill("keyboard shortcuts");
    await press("Enter");
    await keys.getByRole("switch", { name: "Single keys" }).click();
    await press("Escape");
    await keys.waitFor({ state: "hidden" });
  });

  it("finds events, walks through them, and goes from one to its page", async () => {
    const { page } = window;
    for (const name of ["one", "two"]) await notify(`/shell/${name}.txt`);
    await press("/");
    await page.keyboard.type("/shell/");
    await page.getByText(/^2 of \d+$/).waitFor();
    await press("Escape", "j");
    await page
      .getByRole("region", { name: /^Event/ })
      .getByText('"/shell/two.txt"')
      .first()
      .waitFor();
    await press("j");
    await page
      .getByRole("region", { name: /^Event/ })
      .getByText('"/shell/one.txt"')
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Only this subject" }).click();
    await page.getByText(/^1 of \d+$/).waitFor();
    expect(search().get("subject")).toBe("/shell/one.txt");
    await page.getByRole("link", { name: "Open the file event" }).click();
    await page.waitForURL(/file-events\?event=\d+$/);
    await page.goBack();
    await page.getByText(/^1 of \d+$/).waitFor();
    await press("Escape");
    await expect.poll(() => search().has("event")).toBe(false);
  });
});

describe("a live list", () => {
  it("holds still while it is paused, counts what comes, and shows it when it goes on", async () => {
    const { page } = window;
    await page.goto(`${siteOf(window.addresses.console)}/console/events?type=file.changed`);
    await rows().filter({ hasText: "/shell/two.txt" }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    for (const name of ["three", "four"]) await notify(`/shell/${name}.txt`);
    await page.getByRole("button", { name: "2 new" }).waitFor();
    expect(await rows().filter({ hasText: "/shell/three.txt" }).count()).toBe(0);
    await page.getByRole("button", { name: "Resume" }).click();
    await rows().filter({ hasText: "/shell/four.txt" }).waitFor();
    expect(await page.getByRole("button", { name: "2 new" }).count()).toBe(0);
  });

  it("keeps the columns that a reader has chosen", async () => {
    const { page } = window;
    await page.getByRole("button", { name: "Columns" }).click();
    const menu = page.getByRole("dialog", { name: "Columns" });
    await menu.getByRole("checkbox", { name: "Source" }).uncheck();
    await menu.getByRole("textbox", { name: "Width of Time" }).fill("140");
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await press("Escape");
    await page.reload();
    const headers = page.getByRole("columnheader");
    await headers.first().waitFor();
    expect(await headers.allTextContents()).toEqual(["Time", "Type", "What happened", "Id"]);
    expect((await headers.first().boundingBox())?.width).toBe(140);
  });
});

describe("the overview", () => {
  it("shows what each process takes and printed, and where the events come from", async () => {
    const { page } = window;
    await window.open("Overview");
    const card = page.getByRole("article", { name: "Application server" });
    await card.getByText(/^\d+(\.\d)?\sMB$/).waitFor();
    await card.getByRole("button", { name: "Log of Application server" }).click();
    const log = page.getByRole("dialog", { name: "Log of Application server" });
    await log.getByText("path=/api/inotify/").first().waitFor();
    await press("r");
    await log.getByText(/"service":"app"/).waitFor();
    expect(await log.textContent()).not.toContain("/console/assets/");
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await press("Escape");
    await page.getByRole("link", { name: "/app/file-events" }).click();
    await page.waitForURL(/events\?source=/);
    await rows().filter({ hasText: "/shell/four.txt" }).waitFor();
  });

  it("draws the calls of the last minutes", async () => {
    const { points } = (await consoleOf(window.addresses).get("/requests/traffic")) as {
      points: { requests: number }[];
    };
    expect(points.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(4);
    await window.open("Overview");
    await window.page
      .getByRole("img", { name: /^Requests of the last five minutes/ })
      .locator("path[d*=L]")
      .first()
      // Calls within one interval alone are a dot: drawn, but without a size.
      .waitFor({ state: "attached" });
  });

  it("has no layout shift while it loads", async () => {
    const { page } = window;
    await page.addInitScript(`
      window.moved = [];
      new PerformanceObserver((list) => {
        for (const { sources } of list.getEntries()) for (const { node } of sources) window.moved.push(node?.outerHTML);
      }).observe({ type: "layout-shift", buffered: true });
    `);
    await page.reload();
    const card = page.getByRole("article", { name: "Application server" });
    await card.getByText(/^\d+(\.\d)?\sMB$/).waitFor();
    await page.getByRole("status").getByText("Live").waitFor();
    expect(await page.evaluate("window.moved")).toEqual([]);
  });

  it("shows the address on the local network to a phone's camera", async () => {
    const { lan_addresses: addresses } = (await consoleOf(window.addresses).get("/overview")) as Overview;
    const [address = "no address"] = addresses;
    const code = window.page.getByRole("img", { name: `QR code of ${address}` });
    await code.locator("path[d^=M]").waitFor({ state: "attached" });
    const { data, info } = await sharp(await code.screenshot())
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const seen = decodeQR({ width: info.width, height: info.height, data });
    expect(addresses).toContain(seen);
    expect((await fetch(`${seen}/healthz`)).status).toBe(200);
  });

  type Command = (code: string) => readonly [string, ...string[]];
  const shell: Command = (code) => ["sh", "-c", code];
  const node: Command = (code) => [process.execPath, "--input-type=module", "-e", code];
  /** With as much of a platform as the code asks for. */
  const miniProgram: Command = (code) =>
    node(`const wx = {
      async login({ success }) {
        const reply = await fetch("${window.addresses.provider}/sim/users/ada/login", { method: "POST" });
        success(await reply.json());
      },
      async request({ url, method = "GET", header = {}, data, success }) {
        const headers = { ...header, "content-type": "application/json" };
        const reply = await fetch(url, { method, headers, ...(data && { body: JSON.stringify(data) }) });
        success({ statusCode: reply.status, header: Object.fromEntries(reply.headers), data: await reply.json() });
      },
    };
    ${code}`);

  it.each([
    ["Log in with curl", shell, /^HTTP\/1.1 401 [^]*^WWW-Authenticate: getUserInfo/im],
    ["Mini-program", miniProgram, /^401 next step: getUserInfo$/m],
    ["Log in with fetch", node, /title: 'Hello'/],
    ["Ollama client", node, /\w+/],
    ["OpenAI client", node, /\w+/],
    ["Payment SDK", node, /^weixin:\/\/\S+$/m],
  ])("shows code that works as it stands: %s", async (title, command, printed) => {
    const code = (await window.page.getByRole("article", { name: title }).locator("pre").textContent()) ?? "";
    const [program, ...args] = command(code);
    // Where the packages lie that the code imports.
    const { stdout } = await run(program, args, { cwd: clients });
    expect(stdout).toMatch(printed);
  });
});
