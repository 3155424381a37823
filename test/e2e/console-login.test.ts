/** Logging in with a browser: one page that says what to type, once per data directory, until a login is ended. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoggedInBrowser } from "../../server/contract/console/console-logins.ts";
import { siteOf } from "../support/process/console-access.ts";
import type { ReadyFileContent } from "../../server/supervisor/ready-file.ts";
import { newLoginCode } from "../../server/supervisor/login-code.ts";
import { openChromium, type Browser } from "../support/console/chromium.ts";
import { consoleOf } from "../support/console/console-scene.ts";
import { violationsOf } from "../support/console/console-page.ts";
import { freePort } from "../support/process/free-port.ts";
import { launchHearth } from "../support/process/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openWindow } from "../support/console/window.ts";

const loginPage = (page: Page) => page.getByRole("dialog", { name: "Log in" });
const field = (page: Page) => loginPage(page).getByRole("textbox", { name: "Login code" });

/** Notes, in each frame of the page, what is seen of the console outside of a dialog. */
const noteConsoleParts = `
  globalThis.seenOfConsole = [];
  const look = () => {
    const parts = [...document.querySelectorAll("nav, main, .frame")].filter((part) => part.checkVisibility());
    if (!document.querySelector("dialog[open]")) seenOfConsole.push(...parts.map((part) => part.outerHTML.slice(0, 80)));
    requestAnimationFrame(look);
  };
  look();
`;

describe("a tab without a session", () => {
  let hearth: ReturnType<typeof launchHearth>;
  let browser: Browser;
  let addresses: ReadyFileContent;
  beforeAll(async () => {
    hearth = launchHearth();
    addresses = await hearth.ready();
    browser = await openChromium({ locale: "en-GB", viewport: { width: 420, height: 800 } });
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await hearth[Symbol.asyncDispose]();
  });

  it("is one page that stays as it is, asks the server for nothing and can be typed into", async () => {
    const { page } = browser;
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/console/api/")) calls.push(request.url());
    });
    await page.clock.install();
    await page.goto(`${siteOf(addresses.console)}/console/requests?q=kept`);
    await field(page).fill("abc");
    await page.clock.runFor(60_000);
    expect(calls).toEqual([]);
    expect(await field(page).inputValue()).toBe("ABC");
    expect(await loginPage(page).textContent()).toMatch(/node \/\S+ open --data-dir \//);
    await page.evaluate("document.querySelector('dialog').addEventListener('close', () => (window.gateClosed = true))");
    for (const key of ["Escape", "Escape", "Control+k"]) await page.keyboard.press(key);
    await page.clock.runFor(1_000);
    expect(await page.evaluate("window.gateClosed")).toBeUndefined();
    expect(await page.getByRole("dialog").count()).toBe(1);
  });

  it("shows nothing of the console before the login, and reports no error in the browser's own console", async () => {
    const { page, complaints } = browser;
    const statuses: string[] = [];
    page.on("response", (reply) => {
      if (reply.status() >= 400) statuses.push(`${String(reply.status())} ${reply.url()}`);
    });
    // Each frame from the first one on, with what of the console is seen in it.
    await page.addInitScript({ content: noteConsoleParts });
    complaints.length = 0;
    await page.reload();
    await field(page).waitFor();
    await page.evaluate("dispatchEvent(new Event('focus'))");
    expect(await page.evaluate("globalThis.seenOfConsole")).toEqual([]);
    expect(await page.locator("nav, main").count()).toBe(0);
    expect([statuses, complaints]).toEqual([[], []]);
  });

  it("is accessible, also on the smallest screen, and speaks Chinese", async () => {
    const { page } = browser;
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate("document.querySelector('dialog').scrollWidth")).toBe(420);
    await loginPage(page)
      .getByRole("button", { name: /^Language/ })
      .click();
    await loginPage(page).getByRole("menuitemradio", { name: "简体中文" }).click();
    const chinese = page.getByRole("dialog", { name: "登录控制台" });
    await chinese.getByText("在运行 Hearth 的终端里按").waitFor();
    await chinese.getByRole("button", { name: /^语言/ }).click();
    await chinese.getByRole("menuitemradio", { name: "English" }).click();
    await loginPage(page).waitFor();
  });

  it("says what is wrong with a code, and with one right leads on to where one was", async () => {
    const { page } = browser;
    await field(page).fill("wrong-one-here");
    await loginPage(page).getByRole("alert").getByText("This code is invalid").waitFor();
    const { code } = await newLoginCode(addresses.console);
    await field(page).fill(code.toLowerCase().replaceAll("-", ""));
    await loginPage(page).waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
    expect(page.url()).toBe(`${siteOf(addresses.console)}/console/requests?q=kept`);
    await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  });

  it("accepts a pasted address, and reports one that was used already", async () => {
    const { page } = browser;
    await page.context().clearCookies();
    const { address } = await newLoginCode(addresses.console);
    await page.goto(`${siteOf(addresses.console)}/console/events`);
    await field(page).fill(address);
    await loginPage(page).waitFor({ state: "detached" });
    await page.context().clearCookies();
    await page.goto(address);
    await loginPage(page).getByRole("alert").getByText("This address no longer works").waitFor();
    expect(page.url()).toBe(`${siteOf(addresses.console)}/console/`);
  });

  it("gets access when another tab logs in", async () => {
    const { page } = browser;
    await loginPage(page).waitFor();
    const other = await page.context().newPage();
    await other.goto((await newLoginCode(addresses.console)).address);
    await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.bringToFront();
    // A browser without a screen tells no page that it has come to the front.
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await loginPage(page).waitFor({ state: "detached" });
    await other.close();
  });
});

describe("a browser that has logged in", () => {
  it("goes on by itself when Hearth is started again, and asks for a login once another one has ended its own", async () => {
    using data = temporaryFolder();
    const flags = ["--console-port", String(await freePort())];
    await using first = launchHearth({ dataDir: data.path, flags });
    const before = await first.ready();
    await using browser = await openChromium({ locale: "en-GB", viewport: { width: 1440, height: 900 } });
    const { page } = browser;
    await page.goto(
      `${siteOf(before.console)}/console/requests?request=new&code=${(await newLoginCode(before.console)).code}`,
    );
    await page.getByText("No requests yet").waitFor();
    await page.getByRole("textbox", { name: "Path and query" }).fill("/api/typed");
    first.child.kill("SIGTERM");
    await first.exited;
    await using second = launchHearth({ dataDir: data.path, flags });
    const after = await second.ready();
    await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
    expect(await loginPage(page).count()).toBe(0);

    const { browsers } = (await consoleOf(after).get("/browsers")) as { browsers: LoggedInBrowser[] };
    expect(browsers.map(({ name }) => name)).toEqual(["Linux, Chrome"]);
    await consoleOf(after).send("DELETE", `/browsers/${browsers[0]?.id ?? ""}`, undefined);
    await loginPage(page).getByText("with everything you typed").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await field(page).fill((await newLoginCode(after.console)).code);
    await loginPage(page).waitFor({ state: "detached" });
    expect(await page.getByRole("textbox", { name: "Path and query" }).inputValue()).toBe("/api/typed");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    const recorded = async () => JSON.stringify(await consoleOf(after).get("/requests?path=/api/typed"));
    await expect.poll(recorded).toContain("/api/typed");
  });

  it("is listed in Settings as this one, and can log itself out there", async () => {
    await using hearth = launchHearth();
    const addresses = await hearth.ready();
    await using browser = await openChromium({ locale: "en-GB", viewport: { width: 1440, height: 900 } });
    const { page } = browser;
    await fetch(addresses.console, { headers: { "user-agent": "Firefox on Windows" } });
    await page.goto(
      `${siteOf(addresses.console)}/console/settings?code=${(await newLoginCode(addresses.console)).code}`,
    );
    const section = page.getByRole("region", { name: "Browsers" });
    const own = section.getByRole("group", { name: "Linux, Chrome" });
    await own.getByText("This browser").waitFor();
    const other = section.getByRole("group", { name: "Windows, Firefox" });
    await other.getByRole("button", { name: "Log out" }).click();
    await other.waitFor({ state: "detached" });
    await own.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("dialog", { name: "Log out this browser?" }).getByRole("button", { name: "Log out" }).click();
    await loginPage(page).waitFor();
  });
});

describe("the window", () => {
  it("gets in again by itself when its cookie is gone", async () => {
    await using window = await openWindow();
    const clear = () =>
      window.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.session.clearStorageData({ storages: ["cookies"] }),
      );
    await clear();
    await window.open("Users");
    await window.page.getByText("Live", { exact: true }).waitFor();
    const status = () => window.page.evaluate<number>("fetch('/console/api/overview').then(({ status }) => status)");
    await expect.poll(status).toBe(200);
    await expect.poll(() => loginPage(window.page).count()).toBe(0);
  });
});
