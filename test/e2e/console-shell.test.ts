/** What goes with the reader over all pages: palette, keys, live lists and the overview of what runs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleOf } from "../support/console-scene.ts";
import { violationsOf } from "../support/console-page.ts";
import { openWindow, type HearthWindow } from "../support/window.ts";

let window: HearthWindow;
beforeAll(async () => {
  window = await openWindow();
});
afterAll(() => window[Symbol.asyncDispose]());

const press = async (...keys: string[]) => {
  for (const key of keys) await window.page.keyboard.press(key);
};
const notify = (df: string, ev = "create") =>
  fetch(`${window.addresses.app}/api/inotify/`, { method: "POST", body: new URLSearchParams({ df, ev }) });
const search = () => new URL(window.page.url()).searchParams;
const rows = () => window.page.getByRole("row");

describe("the command palette", () => {
  it("opens by Ctrl-K, finds pages and actions by their names, and does them", async () => {
    const { page } = window;
    await page.getByRole("heading", { name: "Services" }).waitFor();
    await press("Control+k");
    const palette = page.getByRole("dialog", { name: "Pages and actions" });
    await palette.getByPlaceholder("Find a page or an action").fill("theme: dark");
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await press("Enter");
    await expect.poll(() => page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");

    await page.getByRole("button", { name: "Go to…" }).click();
    await palette.getByPlaceholder("Find a page or an action").fill("watch a folder");
    await press("Enter");
    await page.waitForURL(/file-events\?folder=new$/);
  });
});

describe("the keyboard", () => {
  it("goes to a page by g and its letter, and shows every key by a question mark", async () => {
    const { page } = window;
    await window.open("Overview");
    await press("g", "e");
    await page.waitForURL(/console\/events/);
    await rows().nth(1).waitFor();
    await press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.getByText("Next row").waitFor();
    await expect.poll(() => violationsOf(page)).toEqual([]);
    // Where somebody dictates, single keys do nothing.
    await keys.getByRole("switch", { name: "Single keys" }).click();
    await press("Escape");
    await keys.waitFor({ state: "hidden" });
    await press("g", "o", "?");
    expect(await keys.isVisible()).toBe(false);
    expect(page.url()).toContain("/events");
    await press("Control+k");
    await page.getByPlaceholder("Find a page or an action").fill("keyboard shortcuts");
    await press("Enter");
    await keys.getByRole("switch", { name: "Single keys" }).click();
    await press("Escape");
    await keys.waitFor({ state: "hidden" });
  });

  it("finds events, walks through them, and goes from one to its page", async () => {
    const { page } = window;
    for (const name of ["one", "two"]) await notify(`/shell/${name}.txt`);
    await press("/");
    await page.keyboard.type("/shell/");
    await page.getByText("2 found").waitFor();
    await press("Escape", "j");
    await page
      .getByRole("region", { name: /^Event/ })
      .getByText('"/shell/two.txt"')
      .first()
      .waitFor();
    await press("j");
    await page
      .getByRole("region", { name: /^Event/ })
      .getByText('"/shell/one.txt"')
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Only this subject" }).click();
    await page.getByText("1 found").waitFor();
    expect(search().get("subject")).toBe("/shell/one.txt");
    await page.getByRole("link", { name: "Open the file event" }).click();
    await page.waitForURL(/file-events\?event=\d+$/);
    await page.goBack();
    await page.getByText("1 found").waitFor();
    await press("Escape");
    await expect.poll(() => search().has("event")).toBe(false);
  });
});

describe("a live list", () => {
  it("holds still while it is paused, counts what comes, and shows it when it goes on", async () => {
    const { page } = window;
    await page.goto(`${window.addresses.app}/console/events?type=file.changed`);
    await rows().filter({ hasText: "/shell/two.txt" }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    for (const name of ["three", "four"]) await notify(`/shell/${name}.txt`);
    await page.getByRole("button", { name: "2 new" }).waitFor();
    expect(await rows().filter({ hasText: "/shell/three.txt" }).count()).toBe(0);
    await page.getByRole("button", { name: "Go on" }).click();
    await rows().filter({ hasText: "/shell/four.txt" }).waitFor();
    expect(await page.getByRole("button", { name: "2 new" }).count()).toBe(0);
  });

  it("keeps the columns that a reader has chosen", async () => {
    const { page } = window;
    await page.getByRole("button", { name: "Columns" }).click();
    const menu = page.getByRole("dialog", { name: "Columns" });
    await menu.getByRole("checkbox", { name: "Source" }).uncheck();
    await menu.getByRole("textbox", { name: "Width of Time" }).fill("140");
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await press("Escape");
    await page.reload();
    const headers = page.getByRole("columnheader");
    await headers.first().waitFor();
    expect(await headers.allTextContents()).toEqual(["Time", "Type", "What happened", "Id"]);
    expect((await headers.first().boundingBox())?.width).toBe(140);
  });
});

describe("the overview", () => {
  it("shows what each process takes and printed, and where the events come from", async () => {
    const { page } = window;
    await window.open("Overview");
    const card = page.getByRole("article", { name: "Application server" });
    await card.getByText(/^\d+(\.\d)?\sMB$/).waitFor();
    await card.getByRole("button", { name: "Log of Application server" }).click();
    const log = page.getByRole("dialog", { name: "Log of Application server" });
    await log.getByText(/"service":"app"/).waitFor();
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await press("Escape");
    await page.getByRole("link", { name: "/app/file-events" }).click();
    await page.waitForURL(/events\?source=/);
    await rows().filter({ hasText: "/shell/four.txt" }).waitFor();
  });

  it("draws the calls of the last minutes", async () => {
    const { points } = (await consoleOf(window.addresses).get("/requests/traffic")) as {
      points: { requests: number }[];
    };
    expect(points.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(4);
    await window.open("Overview");
    await window.page
      .getByRole("img", { name: /^Requests of the last five minutes/ })
      .locator("path.recharts-curve")
      .first()
      .waitFor();
  });
});
