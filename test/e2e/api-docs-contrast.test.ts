/** Each text of the page API docs can be read in both themes: the embedded description with a tried operation, too. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { newLoginCode } from "../../server/supervisor/login-code.ts";
import { openChromium, type Browser } from "../support/console/chromium.ts";
import { violationsOf } from "../support/console/console-page.ts";
import { siteOf } from "../support/process/console-access.ts";
import { launchHearth } from "../support/process/launch.ts";

let hearth: ReturnType<typeof launchHearth>;
let browser: Browser;
beforeAll(async () => {
  hearth = launchHearth();
  const { console: address } = await hearth.ready();
  browser = await openChromium({ locale: "en-GB", viewport: { width: 1440, height: 900 } });
  await browser.page.goto(`${siteOf(address)}/console/api-docs?code=${(await newLoginCode(address)).code}`);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await hearth[Symbol.asyncDispose]();
});

it.each(["light", "dark"] as const)(
  "the contrast of each text is at least 4.5 in the %s theme",
  async (colorScheme) => {
    const { page } = browser;
    await page.emulateMedia({ colorScheme });
    await page.reload();
    await page.getByText("Signed in as").waitFor();
    const docs = page.frameLocator("iframe");
    // A status that the description does not name.
    await page.route(/[/]api[/]articles([?]|$)/, (route) =>
      route.request().method() === "GET" ? route.fulfill({ status: 418, json: {} }) : route.continue(),
    );
    for (const operation of ["articles-createArticle", "articles-listArticles"]) {
      const block = docs.locator(`#operations-${operation}`);
      await block.locator(".opblock-summary-control").click();
      await block.getByRole("button", { name: "Execute" }).click();
      await block.locator(".curl-command .curl").waitFor();
      await block.locator(".live-responses-table .response-col_status").first().waitFor();
    }
    await docs.getByText("Undocumented").waitFor();
    const frame = page.frames().find((one) => one !== page.mainFrame());
    if (!frame) throw new Error("there is no frame with the description");
    expect(await violationsOf(frame, ["color-contrast"])).toEqual([]);
    const font = "getComputedStyle(document.querySelector('.curl-command .curl')).fontFamily";
    expect(await frame.evaluate(font)).toContain("monospace");
  },
);
