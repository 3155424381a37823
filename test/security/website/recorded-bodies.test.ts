/** Requests that anybody can send: Hearth records them, and somebody opens them in the console. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { openChromium, type Browser } from "../../support/console/chromium.ts";
import { openPage } from "../../support/console/console-page.ts";
import { consoleOf } from "../../support/console/console-scene.ts";
import { launchHearth } from "../../support/process/launch.ts";

let hearth: ReturnType<typeof launchHearth>;
let browser: Browser;
let addresses: ReadyFileContent;

beforeAll(async () => {
  hearth = launchHearth();
  addresses = await hearth.ready();
  browser = await openChromium({ locale: "en-GB" });
  await browser.page.goto(addresses.console);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await hearth[Symbol.asyncDispose]();
});

/** Sends a request and opens what was recorded of it. */
async function send(contentType: string, body: string): Promise<void> {
  await fetch(`${addresses.app}/api/articles`, { method: "POST", headers: { "content-type": contentType }, body });
  const listed = (await consoleOf(addresses).get("/requests")) as { requests: { id: number }[] };
  const id = Math.max(...listed.requests.map((one) => one.id));
  await browser.page.goto(new URL(`requests?request=${String(id)}&tab=request`, addresses.console).href);
}
const panel = () => browser.page.getByRole("tabpanel", { name: "Request" });
const button = (name: RegExp) => panel().getByRole("button", { name });

describe("A recorded request", () => {
  it("of thousands of parts shows the first ones, and more on demand", async () => {
    const part = (number: number) => `--b\r\nContent-Disposition: form-data; name="f${number}"\r\n\r\nx\r\n`;
    const parts = Array.from({ length: 4_700 }, (_, index) => part(index));
    await send("multipart/form-data; boundary=b", `${parts.join("")}--b--\r\n`);
    await panel()
      .getByText(/^50 of \d,\d+ shown$/)
      .waitFor();
    expect(await panel().getByText("f49", { exact: true }).count()).toBe(1);
    expect(await panel().getByText("f50", { exact: true }).count()).toBe(0);
    await button(/^Show 50 more$/).click();
    await panel()
      .getByText(/^100 of \d,\d+ shown$/)
      .waitFor();
    await panel().getByText("f99", { exact: true }).waitFor();
    await openPage(browser.page, "Users");
  });

  it.each([
    ["text", "text/plain", `e${"\u0301".repeat(125_000)}`],
    ["a string in JSON", "application/json", JSON.stringify({ a: `e${"\u0301".repeat(125_000)}` })],
  ])("of %s on one long line shows its beginning, and the rest on demand", async (_what, contentType, body) => {
    await send(contentType, body);
    await panel().getByText("Lines are cut after 2,000 characters.").waitFor();
    await button(/^Show [\d,]+ more characters$/).click();
    await panel().getByText("Lines wrap after 2,000 characters.").waitFor();
    // Its text is not edited in the page, but can be sent again.
    await browser.page.getByRole("button", { name: /^Edit/ }).first().click();
    await browser.page.getByText("It is sent as recorded").first().waitFor();
    await openPage(browser.page, "Users");
  });
});
