/** What makes the window a program of the desktop: its place, menus, links, introduction, and coming back. */
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose } from "../support/console/console-page.ts";
import { delayNoLonger } from "../support/console/delay-answers.ts";
import { runInPage } from "../support/console/in-page.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";
import { eventually, patienceMs } from "../support/eventually.ts";
import { writeRandomGguf } from "../support/model/random-gguf.ts";
import { logIn } from "../support/process/console-access.ts";
import { sendSignal } from "../support/process/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const site = join(realpathSync(folder.path), "site");
const place = { x: 60, y: 40, width: 1000, height: 700, maximized: false };
let window: HearthWindow;

beforeAll(async () => {
  mkdirSync(site);
  window = await openWindow(undefined, {}, { isIntroduced: false, place });
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const inPage = (script: string) => runInPage(window.electron, script);
const remembered = () =>
  JSON.parse(readFileSync(join(window.dataDir, "window", "desktop.json"), "utf8")) as Record<string, unknown>;
/** The labels of a menu of the menu bar. */
const menu = (index: number) =>
  window.electron.evaluate(
    ({ Menu }, at) => Menu.getApplicationMenu()?.items[at]?.submenu?.items.map(({ label }) => label),
    index,
  );
const click = (label: string) =>
  window.electron.evaluate(({ Menu }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    items?.find((item) => item.label === wanted)?.click();
  }, label);

describe("the first start with a data directory", () => {
  it("is introduced in three screens: what runs where, a folder, a model; ended, they do not come again", async () => {
    const { page, addresses } = window;
    const dialog = page.getByRole("dialog", { name: "Welcome to Hearth" });
    await dialog.getByRole("heading", { name: "What runs where" }).waitFor();
    for (const address of [addresses.app, addresses.provider, addresses.model ?? ""])
      await dialog.getByText(address, { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByRole("textbox", { name: "Folder" }).fill(site);
    await dialog.getByRole("button", { name: "Watch", exact: true }).click();
    await dialog.getByText(`Watching ${site}.`).waitFor();
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByText("hearth-starter").waitFor();
    await expect.poll(() => dialog.getByText(/of memory$/).count()).toBe(3);
    await dialog.getByRole("button", { name: "Pull llama3.2:1b" }).click();
    await expect.poll(() => page.getByPlaceholder("llama3.2:1b").inputValue()).toBe("llama3.2:1b");
    await expect.poll(() => remembered()["isIntroduced"]).toBe(true);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Models" }).waitFor({ state: "attached" });
    expect(await dialog.count()).toBe(0);
  });
});

describe("the window", () => {
  const bounds = () => window.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());

  it("opens where it was left, and where it is moved is kept", async () => {
    const { maximized, ...kept } = place;
    expect(maximized).toBe(false);
    expect(await bounds()).toEqual(kept);
    const moved = { x: 100, y: 80, width: 900, height: 640 };
    await window.electron.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), moved);
    await expect.poll(() => remembered()["place"]).toEqual({ ...moved, maximized: false });
  });

  it("has menus that lead to pages, copy addresses and what helpers need to know", async () => {
    await click("Settings…");
    await window.page.getByRole("heading", { level: 1, name: "Settings" }).waitFor({ state: "attached" });
    await click("Copy Diagnostics");
    const copied = await window.electron.evaluate(({ clipboard }) => clipboard.readText());
    expect(copied).toMatch(/^Hearth [^]*app: up, 0 restarts[^]*Last lines of runner/);
    expect(copied).not.toContain(new URL(window.addresses.console).searchParams.get("token"));
    expect(readFileSync(join(window.dataDir, "window", "logs", "hearth.log"), "utf8")).toContain("listening");
  });

  it("has the notifications of the system on the page of settings, switched at once", async () => {
    const { page } = window;
    const payments = page.getByRole("switch", { name: "An order was paid" });
    expect(await payments.isChecked()).toBe(false);
    await payments.click();
    await expect.poll(() => remembered()["notify"]).toMatchObject({ payments: true, uploads: false });
    await page.getByText("Closing the window quits Hearth").waitFor();
  });

  it("speaks the language that is chosen in the console", async () => {
    expect(await menu(0)).toContain("Quit Hearth");
    await choose(window.page, /^Language/, "简体中文");
    await expect.poll(() => menu(0)).toContain("退出 Hearth");
    await choose(window.page, /^语言/, "English");
    await expect.poll(() => menu(0)).toContain("Quit Hearth");
  });
});

describe("a link of the scheme hearth", () => {
  it("shows its page in the window that is there, without what stands behind it, and keeps the page's own state", async () => {
    await inPage("void (window.marked = true)");
    expect(await window.startAgain("hearth://payments?place=JSAPI")).toBe(0);
    await window.page.getByRole("heading", { level: 1, name: "Payments" }).waitFor({ state: "attached" });
    expect(new URL(window.page.url()).search).toBe("");
    await expect.poll(() => inPage("window.marked")).toBe(true);
  });

  it("that names no page only brings the window to the front", async () => {
    const before = window.page.url();
    expect(await window.startAgain("hearth://console/api/overview")).toBe(0);
    expect(window.page.url()).toBe(before);
  });
});

describe("what is opened with Hearth, or dropped on its window", () => {
  it("a model file is in the form for a new model, and nothing is made of it yet", async () => {
    const file = join(folder.path, "My Model.gguf");
    writeRandomGguf(file);
    expect(await window.startAgain(file)).toBe(0);
    await window.page.getByText("My Model.gguf,").waitFor();
    await expect
      .poll(() => window.page.getByRole("textbox", { name: "Name of the new model" }).inputValue())
      .not.toBe("");
    expect(JSON.stringify(await (await fetch(`${window.addresses.model}/api/tags`)).json())).not.toContain("My");
  });

  it("a folder is in the form for a watched folder, by its path", async () => {
    const devTools = await window.page.context().newCDPSession(window.page);
    const data = { items: [], files: [site], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await devTools.send("Input.dispatchDragEvent", { type, x: 1, y: 1, data });
    await devTools.detach();
    await expect.poll(() => window.page.getByRole("textbox", { name: "Folder" }).inputValue()).toBe(site);
  });
});

/** A notification, and what it says. */
interface Shown {
  ref: WeakRef<Electron.Notification>;
  text: [title: string, body: string];
}

describe("a notification of the system", () => {
  it("tells of an event while nobody looks, and shows its page when it is clicked", async () => {
    await window.electron.evaluate(({ Notification, BrowserWindow }) => {
      // As the system has them: nothing in this process is held by that.
      const shown: Shown[] = [];
      Object.assign(globalThis, { shown });
      Notification.isSupported = () => true;
      Notification.prototype.show = function () {
        shown.push({ ref: new WeakRef(this), text: [this.title, this.body] });
      };
      const [looked] = BrowserWindow.getAllWindows();
      if (looked) looked.isFocused = () => false;
    });
    const headers = { ...(await logIn(window.addresses)), "Content-Type": "application/json" };
    const body = JSON.stringify({ description: "Tea", amount: 199 });
    const placed = await fetch(`${window.addresses.app}/api/orders`, { method: "POST", headers, body });
    const { data } = (await placed.json()) as { data: { out_trade_no: string } };
    await fetch(`${window.addresses.provider}/sim/orders/${data.out_trade_no}/pay`, { method: "POST" });
    const shown = () =>
      window.electron.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown.map(({ text }) => text));
    await expect.poll(shown).toEqual([["Paid", `${data.out_trade_no}, ¥1.99`]]);
    // A click may come long after, when garbage has been collected.
    await window.electron.evaluate(() => {
      process.getBuiltinModule("node:v8").setFlagsFromString("--expose-gc");
      (process.getBuiltinModule("node:vm").runInNewContext("gc") as () => void)();
      (globalThis as unknown as { shown: Shown[] }).shown[0]?.ref.deref()?.emit("click");
    });
    await window.page.getByRole("heading", { level: 1, name: "Payments" }).waitFor({ state: "attached" });
  });
});

describe("processes that are killed", () => {
  beforeAll(() => delayNoLonger(window.page));

  it.each([
    ["a field", "/chat", "textarea[aria-label=Message]", "value"],
    ["an editor for code", "/models?view=create", ".cm-content[contenteditable=true]", "textContent"],
  ])("take nothing away that was typed into %s", async (_kind, page, selector, property) => {
    await inPage(`void (location.href = "/console${page}")`);
    const field = `document.querySelector(${JSON.stringify(selector)})`;
    await expect.poll(() => inPage(`${field}?.focus(), document.activeElement === ${field}`)).toBe(true);
    await window.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.insertText("Half a question"),
    );
    const text = () => inPage(`${field}?.${property}`);
    await expect.poll(text).toContain("Half a question");
    await inPage("void (window.marked = true)");
    await window.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    await expect.poll(() => inPage("window.marked === undefined")).toBe(true);
    await expect.poll(text).toContain("Half a question");
  });

  it("are there again each of twenty times, when they are the page's", async () => {
    // Those of one minute are counted, and from the fourth on the page waits.
    await window.electron.evaluate(() => {
      const { now } = Date;
      Object.assign(globalThis, { ahead: 0 });
      Date.now = () => now() + (globalThis as unknown as { ahead: number }).ahead;
    });
    for (let time = 0; time < 20; time++) {
      await inPage("void (window.marked = true)");
      const pid = await window.electron.evaluate(({ BrowserWindow }) => {
        (globalThis as unknown as { ahead: number }).ahead += 120_000;
        return BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId();
      });
      sendSignal(pid, "SIGKILL");
      const isBack = () =>
        inPage("window.marked === undefined && document.querySelector('h1')?.textContent === 'Models'");
      await expect.poll(isBack).toBe(true);
    }
  });

  it("are there again each of twenty times, when they draw, and the window's page stays", async () => {
    const drawing = () =>
      window.electron.evaluate(({ app }) => app.getAppMetrics().find(({ type }) => type === "GPU")?.pid);
    await inPage("void (window.marked = true)");
    for (let time = 0; time < 20; time++) {
      // It may have ended by itself since it was asked for.
      const pid = await eventually(async () => {
        const found = await drawing();
        sendSignal(found, "SIGKILL");
        return found;
      });
      await expect.poll(drawing).not.toBe(pid);
    }
    await expect.poll(() => inPage("window.marked")).toBe(true);
    const isDrawn = () =>
      window.electron.evaluate(async ({ BrowserWindow }) => {
        const picture = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
        return picture?.isEmpty() === false;
      });
    await expect.poll(isDrawn).toBe(true);
    expect((await fetch(`${window.addresses.app}/healthz`)).status).toBe(200);
    expect(remembered()["softwareDrawingOf"]).toBe(await window.electron.evaluate(() => process.versions.electron));
  });
});

it("Logging off, which Windows asks its windows about, waits for Hearth and ends it in order", async () => {
  const ended = window.electron.waitForEvent("close", { timeout: patienceMs });
  const waits = await window.electron.evaluate(({ BrowserWindow }) => {
    let isAskedToWait = false;
    const asked = { preventDefault: () => (isAskedToWait = true) };
    BrowserWindow.getAllWindows()[0]?.emit("query-session-end", asked);
    return isAskedToWait;
  });
  expect(waits).toBe(true);
  await ended;
  expect(existsSync(join(window.dataDir, "run.json"))).toBe(false);
});
