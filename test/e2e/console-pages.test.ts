/** What holds for every page of the console: it is accessible in both themes, and it stays within its own policy. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWindow, type HearthWindow } from "../support/window.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pages = ["Overview", "Events", "Uploads", "Chat", "API docs"];
let window: HearthWindow;
const complaints: string[] = [];

beforeAll(async () => {
  window = await openWindow();
  window.page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  window.page.on("pageerror", (error) => complaints.push(error.message));
});
afterAll(() => window[Symbol.asyncDispose]());

async function violations(): Promise<string[]> {
  await window.page.evaluate(axe);
  // The API description is the swagger UI's own page, in a frame.
  const found = await window.page.evaluate("axe.run(document, { iframes: false })");
  return (found as AxeResults).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** What fades in has the contrast of its final colours only at the end, so the page is asked until it is accessible. */
const expectAccessible = (name: string) => expect.poll(violations, { message: name, interval: 200 }).toEqual([]);

async function choose(menu: RegExp, choice: string): Promise<void> {
  await window.page.getByRole("button", { name: menu }).click();
  await window.page.getByRole("menuitemradio", { name: choice }).click();
}

describe("Every page of the console", () => {
  it.each(["Light", "Dark"])("is accessible in the theme %s", async (theme) => {
    await choose(/^Theme/, theme);
    for (const name of pages) {
      await window.open(name);
      await window.page.getByRole("heading", { level: 1, name }).waitFor({ state: "attached" });
      await expectAccessible(name);
      await window.picture(`${name.toLowerCase().replace(" ", "-")}-${theme.toLowerCase()}`);
    }
  });

  it("speaks Chinese when it is told to, also after a reload", async () => {
    await window.open("Overview");
    await choose(/^Language/, "简体中文");
    await window.page.getByRole("heading", { level: 2, name: "连接客户端" }).waitFor();
    await window.page.reload();
    await window.page.getByRole("heading", { level: 2, name: "连接客户端" }).waitFor();
    expect(await window.page.locator("html").getAttribute("lang")).toBe("zh-CN");
    await expectAccessible("简体中文");
    await choose(/^语言/, "English");
  });

  it("fits a window of 420 pixels, where the menu and what is opened lie over the page", async () => {
    const { page } = window;
    await page.setViewportSize({ width: 420, height: 800 });
    for (const name of pages) {
      await page.getByRole("button", { name: "Open the menu" }).click();
      await window.open(name);
      await page.getByRole("heading", { level: 1, name }).waitFor({ state: "attached" });
      expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, 420]);
    }
    await page.getByRole("button", { name: "Open the menu" }).click();
    await window.open("Events");
    await page.getByRole("row").filter({ hasText: "service.changed" }).first().click();
    await page
      .getByRole("dialog", { name: /^Event/ })
      .getByText("specversion")
      .waitFor();
    await expectAccessible("420 pixels");
  });

  it("asks for nothing that its content security policy forbids, and logs no error", () => {
    expect(complaints).toEqual([]);
  });
});
