/** A combined order in the console: its parts, and the way between them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV3 } from "../support/payments/merchant-v3.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
beforeAll(async () => {
  window = await openWindow();
  const merchant = await createMerchantV3(window.addresses.provider);
  const { mch_id: mchid, app_id } = merchant.credentials;
  const part = (out_trade_no: string, total_amount: number) => ({
    ...{ mchid, out_trade_no, attach: "shop", description: out_trade_no },
    amount: { total_amount, currency: "CNY" },
  });
  await merchant.call("POST", "/v3/combine-transactions/native", {
    ...{ combine_appid: app_id, combine_mchid: mchid, combine_out_trade_no: "WHOLE_1" },
    ...{ notify_url: "http://127.0.0.1:9/notifications", sub_orders: [part("PART_1", 300), part("PART_2", 500)] },
  });
});
afterAll(() => window[Symbol.asyncDispose]());

it("is shown with its parts, and each part with the order that pays it", async () => {
  const { page } = window;
  await page.goto(new URL("/console/payments?side=provider&order=WHOLE_1", page.url()).href);
  const parts = page.getByRole("region", { name: "Orders paid together" });
  await parts.getByText("NOTPAY").nth(1).waitFor();
  await fetch(`${window.addresses.provider}/sim/orders/WHOLE_1/pay`, { method: "POST" });
  await parts.getByText("SUCCESS").nth(1).waitFor();
  await parts.getByRole("link", { name: "PART_2" }).click();
  await page.getByText("Paid with the combined order").waitFor();
  await page.getByRole("link", { name: "WHOLE_1", exact: true }).click();
  await parts.getByRole("link", { name: "PART_1" }).waitFor();
  expect(new URL(page.url()).searchParams.get("order")).toBe("WHOLE_1");
});
