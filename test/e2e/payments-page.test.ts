/** The page of payments in the window: orders are placed, paid, refunded and lied about, and both sides of each are seen. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hear, holdReads, refuse, violationsOf } from "../support/console/console-page.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";
import { createMerchantV2 } from "../support/payments/merchant-v2.ts";
import { notificationReceiver } from "../support/payments/notification-receiver.ts";
import { allowTime } from "../support/payments/receivers/receiver-checks.ts";

let window: HearthWindow;
/** Number of the order that the first case places. */
let number = "";

beforeAll(async () => {
  window = await openWindow();
  await allowTime(window.addresses.provider);
  await window.open("Payments");
});
afterAll(() => window[Symbol.asyncDispose]());

const column = (state: string, orders: number) =>
  window.page.getByRole("region", { name: `${state}: ${String(orders)} ${orders === 1 ? "order" : "orders"}` });
const inspector = () => window.page.getByRole("region", { name: number, exact: true });
const press = (name: string) => inspector().getByRole("button", { name, exact: true }).click();
const tab = (name: string) => inspector().getByRole("tab", { name, exact: true }).click();
const outcomes = () => inspector().getByRole("list", { name: "Results" }).getByRole("listitem");
const history = () => inspector().getByRole("list", { name: "History of the order" }).getByRole("listitem");
const expectAccessible = () => expect.poll(() => violationsOf(window.page), { interval: 200 }).toEqual([]);
const atProvider = (order: string) => new URL(`/console/payments?side=provider&order=${order}`, window.page.url()).href;
async function control(method: string, path: string, body?: object): Promise<Record<string, string>> {
  const json = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await fetch(`${window.addresses.provider}/sim${path}`, { method, ...json });
  return (await response.json()) as Record<string, string>;
}
/** A merchant that is not Hearth. */
async function shop() {
  const app = { appid: (await control("GET", "/credentials"))["app_id"] };
  return createMerchantV2({ url: window.addresses.provider, app, control } as Parameters<typeof createMerchantV2>[0]);
}
const view = (name: string) => window.page.getByRole("radiogroup", { name: "View" }).getByText(name).click();

describe("The page of payments", () => {
  it("teaches how the first order is placed, and places it by the real route, with its QR code", async () => {
    const { page } = window;
    await page.getByText(`curl ${window.addresses.app}/api/orders`).waitFor();
    await page.getByRole("button", { name: "New order" }).first().click();
    const form = page.getByRole("dialog", { name: "New order" });
    await form.getByText("The buyer scans a QR code.").waitFor();
    await form.getByRole("textbox", { name: "Description" }).fill("Window seats");
    await form.getByRole("textbox", { name: "Amount", exact: true }).fill("2.50");
    // Two clicks before the button can show that it is busy.
    await form.getByRole("button", { name: "Place order" }).evaluate((button: { click: () => void }) => {
      button.click();
      button.click();
    });
    await column("NOTPAY", 1)
      .getByRole("button", { name: /Window seats/ })
      .waitFor();
    // The board may show it before it is answered.
    const opened = () => new URL(page.url()).searchParams.get("order") ?? "";
    await expect.poll(opened).toMatch(/^H/);
    number = opened();
    await inspector()
      .getByRole("img", { name: /^QR code of weixin:/ })
      .waitFor();
    expect(await inspector().getByText("NOTPAY").count()).toBeGreaterThanOrEqual(2);
    await expectAccessible();
  });

  it("says that the buyer is paying: USERPAYING at once at the provider, and at the merchant when it asks", async () => {
    await tab("Controls");
    await press("User is paying");
    await outcomes().filter({ hasText: "User is payingUSERPAYING" }).waitFor();
    await expect.poll(() => inspector().getByText("USERPAYING", { exact: true }).count()).toBe(2);
    await press("Query order now");
    await column("USERPAYING", 1)
      .getByRole("button", { name: /Window seats/ })
      .waitFor();
    expect(await inspector().getByRole("button", { name: "User is paying", exact: true }).isDisabled()).toBe(true);
    await press("Fail: bank refuses");
    await outcomes().filter({ hasText: "Fail: bank refusesNOTPAY" }).waitFor();
    await press("User is paying");
    await outcomes().filter({ hasText: "User is payingUSERPAYING" }).nth(1).waitFor();
  });

  it("shows what came of the head's button where it failed, whichever tab is open", async () => {
    await tab("History");
    const end = await refuse(window.page, ["POST", /[/]sim[/]orders[/][^/]+[/]pay/]);
    await press("Buyer pays ¥2.50");
    await outcomes().filter({ hasText: "Out of order." }).waitFor();
    end();
  });

  it("lets the buyer pay, and moves the order to SUCCESS when query order has returned it", async () => {
    await tab("Controls");
    await press("Buyer pays ¥2.50");
    await outcomes().filter({ hasText: "Buyer pays ¥2.50SUCCESS" }).waitFor();
    await column("SUCCESS", 1)
      .getByRole("button", { name: /¥2.50.*Window seats.*Settled/ })
      .waitFor();
    await column("NOTPAY", 0).waitFor();
  });

  it("shows the whole history of both sides in order, each message as it was on the wire", async () => {
    await tab("History");
    // The provider records its attempt when the answer is there: the decision may be shown before it.
    for (const hasText of [/Decision:.*returned SUCCESS/, /Notifies of.*payment/])
      await history().filter({ hasText }).waitFor();
    const told = (await history().allTextContents()).map((text) => text.replace(/^[\d:.]+/, ""));
    const steps = [
      /^Calls ?unifiedorder/,
      /^Payment received/,
      /^Notifies of ?payment/,
      /^Calls ?orderquery/,
      /^Decision: ?settle/,
    ];
    expect(told[0]).toMatch(steps[0] ?? "");
    let place = -1;
    for (const step of steps) {
      const after: number = place;
      place = told.findIndex((text, at) => at > after && step.test(text));
      expect(place, String(step)).toBeGreaterThan(after);
    }
    const notified = history().filter({ hasText: "Notifies of" }).filter({ hasText: "accepted" }).first();
    expect(await notified.getByText("trusted result_code").count()).toBe(0);
    await notified.getByRole("button").first().click();
    await notified.getByText(`<out_trade_no><![CDATA[${number}]]>`).first().waitFor();
    await inspector().getByText("Platform", { exact: true }).click();
    await expect.poll(() => history().filter({ hasText: "Decision:" }).count()).toBe(0);
    await inspector().getByText("Both", { exact: true }).click();
  });

  it("sends a forged notification, and shows that it was refused and why", async () => {
    await tab("Controls");
    await press("Forged signature");
    const outcome = outcomes().filter({ hasText: "Forged signature" });
    await outcome.getByText("refused", { exact: true }).waitFor();
    await outcome.getByText("Right · should refuse").waitFor();
    await outcome.getByText("<return_msg><![CDATA[sign]]>").waitFor();
    await tab("History");
    const attempt = history().filter({ hasText: "Notifies of" }).filter({ hasText: "refused" });
    await attempt.getByText("bad_signature", { exact: true }).waitFor();
    await attempt.getByText("The signature is not from the platform.").waitFor();
    await column("SUCCESS", 1).waitFor();
  });

  it("gives a part back, ends the refund, and shows where the order may go from there", async () => {
    await press("Refund…");
    await inspector().getByRole("textbox", { name: "Amount to refund" }).fill("0.50");
    await press("Refund");
    await column("REFUND", 1)
      .getByRole("button", { name: /Window seats/ })
      .waitFor();
    await inspector().getByText("¥0.50", { exact: true }).waitFor();
    await expectAccessible();
    await tab("States");
    await inspector().getByRole("img", { name: "States of an order; this one is REFUND" }).waitFor();
    await inspector().getByText("No other state follows REFUND.").waitFor();
    await inspector()
      .getByText(/^¥0.50 of ¥2.50 refunded. ¥2.00 is left for up to 49 more refunds/)
      .waitFor();
    await expectAccessible();
  });

  it("says of a receiver that it trusted result_code, though its answer was the right one", async () => {
    const { page } = window;
    await using receiver = await notificationReceiver();
    await (await shop()).paid("TRUSTING", { notify_url: `${receiver.url}/paid` });
    await page.goto(atProvider("TRUSTING"));
    const attempt = page.getByRole("listitem").filter({ hasText: "Notifies of" }).filter({ hasText: "accepted" });
    await attempt.getByText("trusted result_code", { exact: true }).waitFor();
    await attempt.getByText(/^The receiver accepted without a query/).waitFor();
    await page.getByRole("tab", { name: "Controls", exact: true }).click();
    await page.getByRole("button", { name: "Again", exact: true }).click();
    const outcome = page.getByRole("list", { name: "Results" }).getByRole("listitem");
    await outcome.getByText("trusted result_code", { exact: true }).waitFor();
    await expectAccessible();
  });

  it("says when a notification is sent again, how an order ended, and whether a faulty call was carried out", async () => {
    const { page } = window;
    const merchant = await shop();
    await merchant.paid("UNHEARD");
    await page.goto(atProvider("UNHEARD"));
    const entry = (hasText: RegExp) => page.getByRole("listitem").filter({ hasText });
    await entry(/Notifies of.*connection_failed.*sent again [A-Z]/).waitFor();
    await merchant.place("CLOSED");
    const fault = {
      kind: "err_code",
      params: { code: "SYSTEMERROR", when: "after", calls: ["closeorder"] },
      times: 1,
    };
    await control("POST", "/faults", fault);
    await merchant.close("CLOSED");
    await page.goto(atProvider("CLOSED"));
    await entry(/Replies to.*closeorder.*(?<!not )carried out/).waitFor();
    await entry(/Final state:.*CLOSED/).waitFor();
    await expectAccessible();
  });

  it("opens any order by its address, and keeps the filter there", async () => {
    const { page } = window;
    await page.goto(new URL(`/console/payments?view=table&state=REFUND&order=${number}`, page.url()).href);
    await inspector().getByRole("tab", { name: "History" }).waitFor();
    const rows = page.getByRole("grid", { name: "Orders" }).getByRole("row");
    await rows.filter({ hasText: "Window seats" }).waitFor();
    expect(await page.getByRole("combobox", { name: "trade_state" }).inputValue()).toBe("REFUND");
    await page.getByRole("combobox", { name: "trade_state" }).selectOption("CLOSED");
    await page.getByText("No orders match.").waitFor();
    await page.getByText(/^0 of \d+$/).waitFor();
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await page.getByText(/^0 of \d+$/).waitFor({ state: "detached" });
    expect(await page.getByRole("combobox", { name: "trade_state" }).inputValue()).toBe("");
    await rows.filter({ hasText: "Window seats" }).waitFor();
    await page.getByText("All on the platform").click();
    await rows.filter({ hasText: "Window seats" }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("side")).toBe("provider");
    const field = page.getByRole("textbox", { name: "Order number or description" });
    await field.fill("nobody's");
    await page.getByText("No orders match.").waitFor();
    await field.fill(number.slice(3, -2).toLowerCase());
    await rows.filter({ hasText: "Window seats" }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe(number.slice(3, -2).toLowerCase());
    await page.reload();
    await rows.filter({ hasText: "Window seats" }).waitFor();
    expect(await field.inputValue()).toBe(number.slice(3, -2).toLowerCase());
  });

  it("marks the card of an order whose payment has failed, with the reason, as it happens", async () => {
    await (await shop()).place("FAILS_ON_BOARD", { trade_type: "NATIVE" });
    await window.page.goto(atProvider("FAILS_ON_BOARD"));
    const card = window.page.locator('[data-order="FAILS_ON_BOARD"]');
    await card.waitFor();
    await control("POST", "/orders/FAILS_ON_BOARD/fail", { how: "no_funds" });
    await card.getByText("Failed: not enough money").waitFor();
    await window.page.getByRole("listitem").filter({ hasText: "Payment failed:no_funds" }).waitFor();
    await expectAccessible();
  });

  it("checks Hearth's own receiver, row by row, and says what came of it", async () => {
    const { page } = window;
    await view("Receiver check");
    const rows = page.getByRole("combobox", { name: "Rows" });
    for (const name of ["a payment", "forged: wrong key"]) {
      await rows.fill(name);
      await page.getByRole("option", { name, exact: true }).click();
    }
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Run the check" }).click();
    const report = page.getByRole("region", { name: /^Check \d+$/ });
    await report.getByText("2 passed").waitFor();
    await report.getByRole("status").filter({ hasText: "Done" }).waitFor();
    await report.getByRole("button", { name: /forged: wrong key/ }).click();
    await report.getByText("Signed with an unknown key.").waitFor();
    await report.getByRole("button", { name: "JUnit" }).waitFor();
    await expectAccessible();
  });

  it("says that a check could not be cancelled, and cancels it", async () => {
    const { page } = window;
    const letGo = await holdReads(page, /[/]console[/]api[/]overview$/);
    await page.reload(); // all rows, of which some take their time
    await page.getByRole("button", { name: "Run the check" }).click();
    letGo();
    const report = page.getByRole("region", { name: "Check 2", exact: true });
    const end = await refuse(page, ["DELETE", /[/]sim[/]receiver-checks[/]2/]);
    await hear(page, /Out of order[.]/, () => report.getByRole("button", { name: "Cancel" }).click());
    end();
    await report.getByRole("button", { name: "Cancel" }).click();
    await report.getByRole("status").filter({ hasText: "Cancelled" }).waitFor();
  });
});
