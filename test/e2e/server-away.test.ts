/** The console while the server is away: what was there stays, and what was not comes once the server is back. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";
import { openChromium, type Browser } from "../support/console/chromium.ts";
import { choose, intercept, openPage } from "../support/console/console-page.ts";

let app: TestApp;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  app = await startTestApp({ consoleFolder: join(import.meta.dirname, "../../dist/renderer") });
  browser = await openChromium({ locale: "en-GB", viewport: { width: 1440, height: 900 } });
  page = browser.page;
  await page.goto(`${app.consoleUrl}/console/?token=${consoleToken}`);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await page.context().setOffline(false);
  await page.goto(`${app.consoleUrl}/console/devices`);
  await lanSwitch().waitFor();
});

/** The browser has the page wait for neither: what is asked just then may go the other way. */
const setNetwork = async (state: "away" | "there") => {
  await page.context().setOffline(state === "away");
  await expect
    .poll(() => page.evaluate(`fetch("/console/", { method: "HEAD" }).then(() => "there", () => "away")`))
    .toBe(state);
};
const lanSwitch = () => page.getByRole("switch", { name: "Open Hearth to this network" });
const told = () => page.getByRole("alert").filter({ hasText: "Failed: " });
const palette = () => page.getByRole("dialog", { name: "Pages and actions" });
/** Waits until the code of parts is there, and the styles and the shared code that it waits for. */
const isFetched = async (...parts: string[]) => {
  const list = (of: string, key: string) => page.evaluate<string[]>(`[...${of}].map((entry) => entry.${key})`);
  const missing = async () => {
    const wanted = await list(`document.querySelectorAll("link[rel=modulepreload], link[rel=stylesheet]")`, "href");
    const fetched = await list(`performance.getEntriesByType("resource")`, "name");
    const isAsked = (part: string) => wanted.some((file) => file.includes(`/${part}-`) && file.endsWith(".js"));
    return [...parts.filter((part) => !isAsked(part)), ...wanted.filter((file) => !fetched.includes(file))];
  };
  await expect.poll(missing).toEqual([]);
};
/** The requests that were not answered, by the name of the file. */
const refuse = async (files: RegExp) => {
  const refused = new Set<string>();
  const end = await intercept(page, files, (route) => {
    refused.add(files.exec(route.request().url())?.[1] ?? "");
    return route.abort();
  });
  return { refused, end };
};

/** Holds back the files that say `text`: `asked` resolves at the first, `letGo` answers them. */
const holdBack = async (files: RegExp, text = "") => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const end = await intercept(page, files, async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes(text)) {
      asked.resolve();
      await held.promise;
    }
    await route.fulfill({ response });
  });
  const letGo = () => {
    end();
    held.resolve();
  };
  return { asked: asked.promise, letGo };
};

describe("What lies over the page", () => {
  it("is fetched once the page is idle, and works while the server is away", async () => {
    await isFetched("toast-stack", "command-palette");
    await setNetwork("away");
    await lanSwitch().click();
    await told().waitFor();
    await page.keyboard.press("Control+k");
    await palette().waitFor();
    await setNetwork("there");
  });

  it("leaves the page as it is while its code does not come, and is there once it does", async () => {
    const { refused, end } = await refuse(/assets\/(toast-stack|command-palette)-.*[.]css$/);
    await page.reload();
    await lanSwitch().waitFor();
    await setNetwork("away");
    const failed = page.waitForEvent("requestfailed", (request) => request.method() !== "GET");
    await lanSwitch().click();
    await failed;
    await page.keyboard.press("Control+k");
    await expect.poll(() => refused).toEqual(new Set(["toast-stack", "command-palette"]));
    await lanSwitch().waitFor();

    await setNetwork("there");
    end();
    await told().waitFor();
    await palette().waitFor();
    await expect
      .poll(() => page.evaluate(`[...document.querySelectorAll("link[rel=stylesheet]")].every(({ sheet }) => sheet)`))
      .toBe(true);
  });
});

describe("A chat", () => {
  it("that is renamed while the server is away has its new name once it is back", async () => {
    const chat = { content: { title: "Before", settings: {}, turns: [], changedAt: 1 } };
    const stored = async (method = "GET", body?: object) => {
      const init = { method, ...(body && { body: JSON.stringify(body) }) };
      const headers = { authorization: `Bearer ${consoleToken}`, "content-type": "application/json" };
      const path = method === "GET" ? "" : "/c1";
      return (await fetch(`${app.consoleUrl}/console/api/chats${path}`, { ...init, headers })).text();
    };
    await stored("PUT", chat);
    await openPage(page, "Chat");
    await page.getByRole("button", { name: "Rename Before" }).click();
    await setNetwork("away");
    await page.getByRole("textbox", { name: "Rename Before" }).fill("After");
    await page.keyboard.press("Enter");
    const notStored = page.getByRole("alert").filter({ hasText: "could not be saved" });
    await notStored.waitFor();
    await setNetwork("there");
    // The browser's network being away does not cut a stream that is open.
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    await expect.poll(() => stored()).toContain("After");
    await notStored.waitFor({ state: "detached" });
  });
});

describe("A pull that fails because the model service is away", () => {
  it("says so after a reload, too, and only in its own tab", async () => {
    const jobs = (tab: Page) => tab.getByRole("list", { name: "In progress" });
    const failure = () => jobs(page).getByRole("alert").innerText();
    await openPage(page, "Models");
    await page.getByRole("button", { name: "Pull a model" }).click();
    await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
    await page.getByRole("button", { name: "Pull", exact: true }).click();
    const reason = await failure();
    await page.reload();
    await expect.poll(failure).toBe(reason);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("button", { name: "Pull a model" }).waitFor();
    expect(await jobs(other).count()).toBe(0);
    await other.close();
  });
});

describe("The language of the console", () => {
  it("stays when its texts do not come, which is told, and changes once they do", async () => {
    const link = (name: string) => page.getByRole("link", { name, exact: true });
    const stored = () => page.evaluate(`localStorage.getItem("hearth.language")`);
    await isFetched("toast-stack", "choice-menu");
    await setNetwork("away");
    await choose(page, /^Language/, "简体中文");
    await told().waitFor();
    expect(await told().innerText()).toContain("The server does not respond.");
    await link("Payments").waitFor();
    expect(await stored()).toBe("en");

    await setNetwork("there");
    await choose(page, /^Language/, "简体中文");
    await link("支付").waitFor();
    expect(await stored()).toBe("zh");
    await choose(page, /^语言/, "English");
    await link("Payments").waitFor();
  });

  it("is that of a page, too, which is opened while the language's texts are on their way", async () => {
    const shell = await holdBack(/assets\/shell-.*[.]js$/);
    await choose(page, /^Language/, "简体中文");
    await shell.asked;
    await openPage(page, "Payments");
    await page.getByRole("button", { name: "New order" }).first().waitFor();
    shell.letGo();
    await page.getByRole("link", { name: "支付", exact: true }).waitFor();
    await page.getByRole("button", { name: "新建订单" }).first().waitFor();
    await choose(page, /^语言/, "English");
    await page.getByRole("button", { name: "New order" }).first().waitFor();
  });

  it("is the chosen one, too, where the console is left while the language's texts are on their way", async () => {
    const shell = await holdBack(/assets\/shell-.*[.]js$/);
    await choose(page, /^Language/, "简体中文");
    await shell.asked;
    await page.reload({ waitUntil: "commit" });
    shell.letGo();
    await page.getByRole("link", { name: "支付", exact: true }).waitFor();
    await choose(page, /^语言/, "English");
    await page.getByRole("link", { name: "Payments", exact: true }).waitFor();
  });
});

describe("A page that is left and opened again while its texts are on their way", () => {
  it("waits for them", async () => {
    const link = (name: string) => page.getByRole("link", { name, exact: true });
    const texts = await holdBack(/assets\/payments-.*[.]js$/, "New order");
    await link("Payments").click();
    await texts.asked;
    await link("Devices").click();
    await link("Payments").click();
    await isFetched("payments-panel");
    expect(await page.getByRole("main").innerText()).not.toContain("payments.");
    texts.letGo();
    await page.getByRole("button", { name: "New order" }).first().waitFor();
  });
});

describe("A page that is opened while the server is away", () => {
  it("says that it could not be fetched, and is there with its texts once it can", async () => {
    const { refused, end } = await refuse(/assets\/(payments)-(?!panel).*[.]js$/);
    const link = page.getByRole("link", { name: "Payments", exact: true });
    for (let times = 0; times < 2; times++) {
      await link.click();
      await page.getByRole("heading", { level: 1, name: "This page crashed" }).waitFor({ state: "attached" });
      await page.getByRole("link", { name: "Devices", exact: true }).click();
      await lanSwitch().waitFor();
    }
    expect(refused).toEqual(new Set(["payments"]));
    end();
    await openPage(page, "Payments");
    await page.getByRole("button", { name: "New order" }).first().waitFor();
  });
});
