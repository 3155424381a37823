/** File events on a narrow screen, in a browser. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newLoginCode } from "../../server/supervisor/login-code.ts";
import { openChromium, type Browser } from "../support/console/chromium.ts";
import { siteOf } from "../support/process/console-access.ts";
import { launchHearth } from "../support/process/launch.ts";

const folder = `/srv/${"a-long-name/".repeat(20)}`;
const [from, to] = [`${folder}draft.md`, `${folder}reports/final.md`];

let hearth: ReturnType<typeof launchHearth>;
let browser: Browser;
beforeAll(async () => {
  hearth = launchHearth();
  const { app, console: address } = await hearth.ready();
  for (const [df, id] of [
    [from, "move-1"],
    [to, "move-2"],
  ] as const) {
    const headers = { "X-Event-Id": id, "X-Move-Id": "move-1" };
    await fetch(`${app}/api/inotify/`, { method: "POST", headers, body: new URLSearchParams({ df, ev: "move" }) });
  }
  browser = await openChromium({ locale: "en-GB", viewport: { width: 420, height: 800 } });
  await browser.page.goto(`${siteOf(address)}/console/file-events?code=${(await newLoginCode(address)).code}`);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await hearth[Symbol.asyncDispose]();
});

interface Size {
  readonly clientWidth: number;
  readonly scrollWidth: number;
}
const sizeOf = (element: Locator) =>
  element.evaluate(({ clientWidth, scrollWidth }: Size): Size => ({ clientWidth, scrollWidth }));
const hiddenIn = ({ clientWidth, scrollWidth }: Size) => scrollWidth - clientWidth;

it("a move with long paths shows at 420 pixels both names, the beginning of both folders, and all on hover", async () => {
  const row = browser.page.getByRole("row").filter({ hasText: "final.md" });
  await row.getByTitle(`${from} → ${to}`).first().waitFor();
  for (const name of ["/draft.md →", "/final.md"]) {
    const end = row.getByText(name, { exact: true });
    await expect.poll(async () => hiddenIn(await sizeOf(end))).toBe(0);
    const beginning = end.locator("xpath=preceding-sibling::span");
    expect(await beginning.textContent()).toMatch(/^\/srv\/a-long-name\//);
    const size = await sizeOf(beginning);
    expect(size.clientWidth).toBeGreaterThan(0);
    expect(hiddenIn(size)).toBeGreaterThan(0);
  }
});
