/** The interactive descriptions for a browser in Chinese: the page's own words are Chinese, and can be read in both themes. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newLoginCode } from "../../server/supervisor/login-code.ts";
import { openChromium, type Browser } from "../support/console/chromium.ts";
import { violationsOf } from "../support/console/console-page.ts";
import { siteOf } from "../support/process/console-access.ts";
import { launchHearth } from "../support/process/launch.ts";

let hearth: ReturnType<typeof launchHearth>;
let browser: Browser;
let pages: Readonly<Record<"simulator" | "console", string>>;
beforeAll(async () => {
  hearth = launchHearth();
  const { provider, console: address } = await hearth.ready();
  browser = await openChromium({ locale: "zh-CN", viewport: { width: 1440, height: 900 } });
  await browser.page.goto((await newLoginCode(address)).address);
  pages = { simulator: `${provider}/sim/swagger`, console: `${siteOf(address)}/console/api/docs` };
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await hearth[Symbol.asyncDispose]();
});

interface Said {
  readonly innerText: string;
  readonly title: string;
  readonly ariaLabel: string | null;
  readonly placeholder?: string;
}

/** What the buttons say, to the eye and to a screen reader. */
async function wordsOf(buttons: Locator): Promise<string[]> {
  const words = await buttons.evaluateAll((all: Said[]) =>
    all.flatMap((one) => [one.innerText, one.title, one.ariaLabel ?? "", one.placeholder ?? ""]),
  );
  return [...new Set(words.map((word) => word.trim()).filter((word) => word !== ""))];
}

describe.each(["simulator", "console"] as const)("the description of the API of the %s", (name) => {
  it.each(["light", "dark"] as const)("has Chinese buttons that can be read in the %s theme", async (colorScheme) => {
    const { page } = browser;
    await page.emulateMedia({ colorScheme });
    await page.goto(pages[name]);
    const block = page.locator(".opblock-get").first();
    await block.locator(".opblock-summary-control").click();
    await block.getByRole("button", { name: "执行" }).click();
    await block.locator(".live-responses-table .response-col_status").first().waitFor();
    await block.getByRole("button", { name: "取消" }).waitFor();
    const outside = page.locator(
      ".scheme-container, .filter, .try-out, .execute-wrapper, .btn-group, .live-responses-table",
    );
    const words = await wordsOf(outside.locator("button, input"));
    expect(words).toEqual(expect.arrayContaining(["执行", "清除", "取消", "按分组或路径筛选"]));
    expect(words.filter((word) => !/\p{Script=Han}/u.test(word))).toEqual([]);
    expect(await violationsOf(page.mainFrame(), ["color-contrast"])).toEqual([]);
    await block.getByRole("button", { name: "取消" }).click();
    await block.getByRole("button", { name: "试用" }).waitFor();
  });
});
