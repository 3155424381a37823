/** What holds for every page of the console, filled with a day's work, in the window and in a browser. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shell as english } from "../../renderer/i18n/en/shell.ts";
import { shell as chinese } from "../../renderer/i18n/zh/shell.ts";
import { openChromium, complaintsOf, type Browser } from "../support/console/chromium.ts";
import {
  choose,
  intercept,
  openPage,
  pageNames,
  rulesOfColours,
  violationsOf,
} from "../support/console/console-page.ts";
import { consoleOf, fillConsole, logIn } from "../support/console/console-scene.ts";
import { sendSignal } from "../support/process/processes.ts";
import { servicePid } from "../support/process/service-statuses.ts";
import { pngBytes } from "../support/files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

/** The name of a page in Chinese. */
const inChinese = (name: string) => {
  const [label] = Object.entries(english.nav).find(([, text]) => text === name) ?? [];
  return chinese.nav[label as keyof typeof chinese.nav];
};

/** What fades in has the contrast of its final colours only at the end, so the page is asked until it is accessible. */
const expectAccessible = (page: Page, name: string, rules?: readonly string[]) =>
  expect.poll(() => violationsOf(page, rules), { message: name, interval: 200 }).toEqual([]);

/** By how many pixels the page, or the content that scrolls in it, is wider than what shows it. */
const overflow = (page: Page) =>
  page.evaluate(
    `Math.max(...["html", "#content"].map((name) => {
      const { scrollWidth, clientWidth } = document.querySelector(name);
      return scrollWidth - clientWidth;
    }))`,
  );
async function expectToFit(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflow(page), { message: `at ${String(width)}` }).toBe(0);
  }
}
/** By how many pixels the top bar cuts the page's name off. */
const cutOff = (page: Page, name: string) =>
  page
    .getByRole("banner")
    .getByText(name, { exact: true })
    .locator("..")
    .evaluate((place) => {
      const { scrollWidth, clientWidth } = place as unknown as Record<"scrollWidth" | "clientWidth", number>;
      return scrollWidth - clientWidth;
    });

/** The headers of tables whose texts are cut off. */
const cutHeads = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll("[role=columnheader] span, [role=columnheader] button")]
      .filter((part) => part.textContent !== "" && part.clientWidth > 0 && part.scrollWidth > part.clientWidth)
      .map((part) => part.textContent)`,
  );

const firstRowEnd = (page: Page) =>
  page.evaluate<number>(`document.querySelector("[aria-rowindex='2']").getBoundingClientRect().bottom`);

/**
 * What a browser logs of a server that is killed: of new connections, and of answers that had not begun, or not ended. A
 * length stays unfilled where the headers were sent first, as of what the console passes on for the provider.
 */
const ofTheRestart =
  /^Failed to load resource: net::ERR_(?:CONNECTION_(?:REFUSED|RESET)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH) /;

const folder = temporaryFolder();
let window: HearthWindow;
let complaints: readonly string[];

beforeAll(async () => {
  window = await openWindow();
  complaints = complaintsOf(window.page);
  // Each page is asked as it is in the end, which no transition delays.
  await window.page.emulateMedia({ reducedMotion: "reduce" });
  await fillConsole(window.addresses, folder.path);
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe("Every page of the console in the window", () => {
  it.each(pageNames)("is accessible in both themes: %s", async (name) => {
    const { page } = window;
    await openPage(page, name);
    for (const [theme, rules] of [["light"], ["dark", rulesOfColours]] as const) {
      // The page follows the system as long as nobody chooses a theme.
      await page.emulateMedia({ colorScheme: theme });
      await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
      await expectAccessible(page, `${name}, ${theme}`, rules);
    }
  });

  it("switches to Chinese, also after a reload", async () => {
    const { page } = window;
    await openPage(page, "Overview");
    await choose(page, /^Language/, "简体中文");
    await page.getByRole("heading", { level: 2, name: "连接客户端" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 2, name: "连接客户端" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("zh-CN");
    await expectAccessible(page, "简体中文");
    await choose(page, /^语言/, "English");
  });

  it("asks for nothing that its content security policy forbids, and logs no error", () => {
    expect(complaints.join("\n")).toBe("");
  });
});

describe("Every page of the console in a browser", () => {
  const small = { width: 420, height: 800 };
  const widths = [768, 1024, 1440, 1920, 2560, 3840];
  /** Where each page was, with what it keeps in its address. */
  const addresses = new Map<string, string>();
  let browser: Browser;

  beforeAll(async () => {
    browser = await openChromium({
      locale: "en-GB",
      colorScheme: "dark",
      reducedMotion: "reduce",
      viewport: small,
    });
    await browser.page.goto(window.addresses.console);
  });
  afterAll(() => browser[Symbol.asyncDispose]());

  it.each(pageNames)(
    "is accessible at 420 pixels, where the menu lies over the page, and fits at each width: %s",
    async (name) => {
      const { page } = browser;
      await page.getByRole("button", { name: "Open the menu" }).click();
      await openPage(page, name);
      await expectAccessible(page, name);
      expect(await overflow(page)).toBe(0);
      // Beside the badge of the armed faults, too.
      await page.getByRole("banner").getByRole("button", { name: "Disarm" }).waitFor();
      expect(await cutOff(page, name)).toBe(0);
      expect(await cutHeads(page)).toEqual([]);
      if (name === "Requests" || name === "Events") expect(await firstRowEnd(page)).toBeLessThan(small.height / 2);
      addresses.set(name, page.url());
      await expectToFit(page, widths);
      await page.setViewportSize(small);
    },
  );

  it("shows what is opened over the list where there is no room beside it", async () => {
    const { page } = browser;
    await page.getByRole("button", { name: "Open the menu" }).click();
    await openPage(page, "Events");
    await page.getByRole("row").filter({ hasText: "order.placed" }).first().click();
    await page
      .getByRole("dialog", { name: /^Event/ })
      .getByText("specversion")
      .waitFor();
    await expectAccessible(page, "an event at 420 pixels");
    await page.goto(new URL("/console/requests?request=new", page.url()).href);
    const form = page.getByRole("dialog", { name: "New request" });
    await expect.poll(() => form.boundingBox()).toMatchObject({ x: 0, width: 420 }); // however little there is in it
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
  });

  it("cuts no button off beside what the server keeps", async () => {
    const { page } = browser;
    await page.goto(new URL("/console/collections?view=storage", page.url()).href);
    const storage = page.getByRole("dialog", { name: "Stored data" });
    const labels = storage.locator("li button .mantine-Button-label");
    await labels.first().waitFor();
    const cut = labels.evaluateAll((all) =>
      (all as unknown as Record<"scrollWidth" | "clientWidth", number>[]).filter(
        ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
      ),
    );
    expect(await cut).toEqual([]);
    await page.keyboard.press("Escape");
    await storage.waitFor({ state: "detached" });
  });

  describe("in Chinese", () => {
    const large = { width: 1440, height: 900 };
    beforeAll(async () => {
      await browser.page.setViewportSize(large);
      await choose(browser.page, /^Language/, "简体中文");
      // It is kept once its texts are there.
      await browser.page.locator("html[lang='zh-CN']").waitFor({ state: "attached" });
    });
    afterAll(() => choose(browser.page, /^语言/, "English"));

    it.each(pageNames)("is found again at its address, is accessible and fits at each width: %s", async (name) => {
      const { page } = browser;
      await page.goto(addresses.get(name) ?? "");
      await page.getByRole("heading", { level: 1, name: inChinese(name), exact: true }).waitFor({ state: "attached" });
      expect(await page.locator("html").getAttribute("lang")).toBe("zh-CN");
      await expectAccessible(page, name);
      expect(await cutHeads(page)).toEqual([]);
      await expectToFit(page, [420, ...widths]);
      await page.setViewportSize(large);
    });
  });

  it("is there again with what came meanwhile after the server has been restarted", async () => {
    const { page } = browser;
    await openPage(page, "Events");
    const { get } = consoleOf(window.addresses);
    sendSignal(await servicePid(window.addresses, "app"), "SIGKILL");
    const file = join(folder.path, "project/after-the-restart.txt");
    const watched = async () => {
      const { folders } = (await get("/watched-folders")) as { folders: { state: string }[] };
      return folders[0]?.state;
    };
    await expect.poll(() => watched().catch(String)).toBe("watching");
    writeFileSync(file, "late\n");
    await page.getByRole("row").filter({ hasText: file }).first().waitFor();
  });

  it("asks for nothing that its content security policy forbids, and logs no error", () => {
    expect(browser.complaints.filter((text) => !ofTheRestart.test(text)).join("\n")).toBe("");
  });

  it.each([
    ["requests?status=404,500", "Status", "404,500"],
    ["requests?method=PROPFIND", "Method", "PROPFIND"],
    ["requests?status=bogus", "Status", ""],
    ["events?type=my.custom", "Type", "my.custom"],
  ])("shows by what a link filters, and leaves out what filters nothing: %s", async (address, field, value) => {
    const { page } = browser;
    await page.goto(new URL(`/console/${address}`, page.url()).href);
    const shown = page.getByRole("main").getByRole("combobox", { name: field });
    await expect.poll(() => shown.inputValue()).toBe(value);
    expect(await page.getByText(/^Failed: /).count()).toBe(0);
  });

  it("fetches more pictures while a large screen has room for them, without being scrolled, and also after a refetch", async () => {
    const { page } = browser;
    const refetched = Promise.withResolvers<void>();
    let newest = 0;
    const end = await intercept(page, /\/console\/api\/uploads\?/, async (route) => {
      const isNewest = !new URL(route.request().url()).searchParams.has("before");
      if (isNewest && newest++ > 0) await refetched.promise;
      const response = await route.fetch();
      const answer = (await response.json()) as { uploads: { id: number }[] };
      const uploads = Array.from({ length: 100 }, (_, at) => ({ ...answer.uploads[0], id: 1_100 - at }));
      await route.fulfill({ response, json: { ...answer, uploads: isNewest ? uploads : [] } });
    });
    const pictures = page.getByRole("list", { name: "Uploads" }).getByRole("listitem");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(new URL("/console/uploads?view=gallery", page.url()).href);
    await expect.poll(() => pictures.count()).toBe(100);
    const form = new FormData();
    form.set("[]", new Blob([pngBytes(10, 10)]), "new.png");
    const headers = await logIn(window.addresses, "ada");
    await fetch(`${window.addresses.app}/api/uploads`, { method: "POST", headers, body: form });
    await expect.poll(() => newest).toBe(2);
    await page.setViewportSize({ width: 3840, height: 2160 });
    // What observes sizes is told before the second frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const asked = page.waitForRequest(/\/console\/api\/uploads\?.*before=1001/);
    refetched.resolve();
    await asked;
    end();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it.each([
    ["users?user=u999", "User u999 no longer exists."],
    ["users?person=nobody-here", "The simulator has no user named nobody-here."],
    ["collections?collection=nothings&item=1", "Collection nothings does not exist."],
    ["chat?conversation=none", "This conversation no longer exists."],
    ["uploads?upload=999", "Upload 999 does not exist."],
    ["requests?request=999999", "Request 999999 is no longer stored."],
  ])("says so where a link leads to what is not there: %s", async (address, text) => {
    const { page } = browser;
    await page.goto(new URL(`/console/${address}`, page.url()).href);
    await page.getByText(text).waitFor();
  });
});
