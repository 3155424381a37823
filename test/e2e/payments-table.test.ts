/** The table of payments in the window: its order, and the number of orders that a filter selects. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { logIn } from "../support/console/console-scene.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
beforeAll(async () => {
  window = await openWindow();
  const { app } = window.addresses;
  const headers = { ...(await logIn(window.addresses, "buyer")), "Content-Type": "application/json" };
  for (const [description, amount] of [
    ["tea", 300],
    ["cake", 900],
    ["milk", 100],
  ] as const) {
    const body = JSON.stringify({ description, amount, trade_type: "NATIVE" });
    await fetch(`${app}/api/orders`, { method: "POST", headers, body });
  }
});
afterAll(() => window[Symbol.asyncDispose]());

it.each(["merchant", "provider"])(
  "is sorted by the server and counts what a filter selects, on the side of the %s",
  async (side) => {
    const { page } = window;
    const search = side === "provider" ? "?view=table&side=provider" : "?view=table";
    await page.goto(new URL(`/console/payments${search}`, page.url()).href);
    const texts = () => page.getByRole("grid", { name: "Orders" }).getByRole("row").allTextContents();
    const names = async () => (await texts()).map((text) => /tea|cake|milk/.exec(text)?.[0]).filter((name) => name);
    await expect.poll(names).toEqual(["milk", "cake", "tea"]);
    const amount = page.getByRole("columnheader", { name: "Amount" });
    await amount.getByRole("button").click();
    await expect.poll(() => amount.getAttribute("aria-sort")).toBe("descending");
    await expect.poll(names).toEqual(["cake", "tea", "milk"]);
    await amount.getByRole("button").click();
    await expect.poll(names).toEqual(["milk", "tea", "cake"]);
    expect(new URL(page.url()).searchParams.get("sort")).toBe("amount");
    await page.getByRole("textbox", { name: "Order number or description" }).fill("tea");
    await page.getByText("1 of 3", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await expect.poll(names).toEqual(["milk", "tea", "cake"]);
  },
);
