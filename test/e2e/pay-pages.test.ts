/** The payment pages in a real browser at the width of a phone. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { violationsOf } from "../support/console/console-page.ts";
import { listen } from "../support/process/listen.ts";
import { createMerchantV2 } from "../support/payments/merchant-v2.ts";
import { orderDetails } from "../support/payments/order-details.ts";
import { openPhone } from "../support/console/phone-browser.ts";
import { startTestProvider } from "../support/payments/test-provider.ts";

/** By how many pixels the page is wider than the phone. */
const overflow = (page: Page) => page.evaluate("document.documentElement.scrollWidth - window.innerWidth");

describe("a payment page on a phone", () => {
  it("is accessible, fits, and pays in Chinese, from the wrong password to the merchant's own page", async () => {
    await using provider = await startTestProvider();
    await using shop = await listen(
      (_req, res) => void res.setHeader("Content-Type", "text/html").end("<h1>Done</h1>"),
    );
    await using phone = await openPhone("zh-CN");
    const { page, complaints } = phone;
    const body = `茶叶 ${"long".repeat(20)}`;
    const { fields } = await createMerchantV2(provider).place("PHONE_MWEB", { trade_type: "MWEB", body });
    await page.goto(`${fields["mweb_url"] ?? ""}&redirect_url=${encodeURIComponent(`${shop.url}/done`)}`);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("¥1.00");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page), colorScheme).toEqual([]);
    }
    expect(await overflow(page)).toBe(0);
    await page.getByRole("button", { name: "密码错误" }).click();
    await expect.poll(() => page.getByRole("status").innerText()).toContain("密码错误");
    await page.getByRole("button", { name: "支付", exact: true }).click();
    await expect.poll(() => page.url()).toBe(`${shop.url}/done`);
    expect((await orderDetails(provider, "PHONE_MWEB")).order.trade_state).toBe("SUCCESS");
    // Before the bracket: the address behind it may have any number for its port.
    expect(complaints.filter((text) => !/^[^(]*(?:favicon|404)/.test(text)).join("\n")).toBe("");
  });

  it("shows the QR code in English, and the state of the order", async () => {
    await using provider = await startTestProvider();
    await using phone = await openPhone("en-GB");
    const { page } = phone;
    await createMerchantV2(provider).place("PHONE_NATIVE", { trade_type: "NATIVE" });
    const { pay_page, code_url } = (await orderDetails(provider, "PHONE_NATIVE")).order;
    await page.goto(pay_page ?? "");
    expect(await page.getByRole("img", { name: code_url ?? "" }).isVisible()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await expect.poll(() => page.getByRole("status").innerText()).toBe("Paid");
  });
});
