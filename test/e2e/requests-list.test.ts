/** The list of requests in the window: whose it shows, how many, and in which order. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logIn } from "../support/console/console-scene.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
beforeAll(async () => {
  window = await openWindow();
  const headers = await logIn(window.addresses, "ada");
  await fetch(`${window.addresses.app}/api/articles/4711`, { headers });
  await window.open("Requests");
});
afterAll(() => window[Symbol.asyncDispose]());

const table = () => window.page.getByRole("grid", { name: "Requests" });
const row = (text: string | RegExp): Locator => table().getByRole("row").filter({ hasText: text });
const path = () => new URL(window.page.url()).searchParams;

describe("The list of requests", () => {
  it("hides Hearth's own requests until the reader wants them, and remembers that", async () => {
    const { page } = window;
    const own = page.getByRole("switch", { name: "Only my client" });
    await row("/api/sessions").first().waitFor();
    expect(await row("app → provider").count()).toBe(0);
    await own.click();
    await row("app → provider").first().waitFor();
    await page.reload();
    await row("app → provider").first().waitFor();
    await own.click();
    await row("app → provider").first().waitFor({ state: "detached" });
  });

  it("counts what the filters select, and clears all of them at once", async () => {
    const { page } = window;
    await page.getByRole("combobox", { name: "Status" }).selectOption("4xx");
    await page.getByRole("combobox", { name: "Method" }).selectOption("GET");
    await page.getByText(/^1 of \d+/).waitFor();
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await row("/api/sessions").first().waitFor();
    expect([path().get("status"), path().get("method")]).toEqual([null, null]);
  });

  it("sorts all requests by a column, and comes back to the newest first", async () => {
    const { page } = window;
    const head = (name: string) => page.getByRole("columnheader", { name });
    const sorts = () => Promise.all(["Time", "Status"].map((name) => head(name).getAttribute("aria-sort")));
    expect(await sorts()).toEqual(["descending", "none"]);
    await head("Status").getByRole("button").click();
    await head("Status").getByRole("button").click();
    await expect.poll(sorts).toEqual(["none", "descending"]);
    await expect.poll(() => table().getByRole("row").nth(1).innerText()).toContain("404");
    await head("Time").getByRole("button").click();
    await expect.poll(sorts).toEqual(["descending", "none"]);
    expect(path().get("sort")).toBe(null);
  });
});
