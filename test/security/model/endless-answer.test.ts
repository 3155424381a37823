/** A model's answer whose Markdown takes minutes to read. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openChromium, type Browser } from "../../support/console/chromium.ts";
import { choose, openPage } from "../../support/console/console-page.ts";
import { consoleOf } from "../../support/console/console-scene.ts";
import { launchHearth } from "../../support/process/launch.ts";

let hearth: ReturnType<typeof launchHearth>;
let browser: Browser;

const endless = "<div>\n~~~\n\n" + "*a_".repeat(60_000);

beforeAll(async () => {
  hearth = launchHearth();
  const addresses = await hearth.ready();
  const store = (id: string, answers: readonly string[]) =>
    consoleOf(addresses).send("PUT", `/chats/${id}`, {
      content: {
        settings: {},
        changedAt: Date.now(),
        turns: answers.flatMap((content) => [
          { role: "user", content: `Question of ${id}` },
          { role: "assistant", content },
        ]),
      },
    });
  await store("hostile", [endless, "*quick*", `~~~\n${"\u0301".repeat(250_000)}`]);
  browser = await openChromium({ locale: "en-GB" });
  await browser.page.goto(addresses.console);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await hearth[Symbol.asyncDispose]();
});

const answer = (number: number) => browser.page.locator("article[data-role=assistant]").nth(number);
const open = (id: string) => browser.page.goto(new URL(`chat?conversation=${id}`, browser.page.url()).href);

it("An answer that takes minutes to read is shown as text with a note, and the next answer is laid out", async () => {
  await open("hostile");
  await answer(0).getByText("Shown as plain text").waitFor();
  expect((await answer(0).textContent())?.includes(endless.slice(0, 10_000))).toBe(true);
  await answer(1).locator("em", { hasText: "quick" }).waitFor();
  await answer(2).getByText("Shown as plain text").waitFor();
});

it("Other pages open while the answer is read, and it is not read again when its page is opened again", async () => {
  const { page } = browser;
  await openPage(page, "Users");
  await openPage(page, "Chat");
  await answer(0).waitFor();
  // It is known by now, so that the note is there as soon as the answer is.
  expect(await answer(0).getByText("Shown as plain text").count()).toBe(1);
  await page.reload();
  await answer(0).waitFor();
  await openPage(page, "Users");
});

it("The rest of a long answer comes on demand, and the note speaks the page's language", async () => {
  const { page } = browser;
  await open("hostile");
  await answer(0).getByText("Shown as plain text").waitFor();
  await answer(0)
    .getByRole("button", { name: /^Show .* more characters$/ })
    .click();
  await expect.poll(async () => (await answer(0).textContent())?.includes(endless)).toBe(true);
  await choose(page, /^Language/, "简体中文");
  await answer(0).getByText("以纯文本显示").waitFor();
});
