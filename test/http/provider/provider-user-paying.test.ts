/** The control route that makes a buyer be at it: USERPAYING by hand. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callControl } from "../../support/payments/control-merchants.ts";
import { createMerchantV2, type MerchantV2 } from "../../support/payments/merchant-v2.ts";
import { orderDetails } from "../../support/payments/order-details.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
});
afterAll(() => provider[Symbol.asyncDispose]());

describe("POST /sim/orders/{out_trade_no}/ask-password", () => {
  it.each([
    ["/pay", undefined, "SUCCESS"],
    ["/fail", { how: "bank" }, "NOTPAY"],
    ["/fail", { how: "cancel" }, "NOTPAY"],
  ])("makes an order by QR code USERPAYING, until …%s with %j makes it %s", async (path, body, end) => {
    const number = `ASKED_${end}_${body?.how ?? ""}`;
    await merchant.place(number, { trade_type: "NATIVE" });
    const asked = await callControl(provider, "POST", `/orders/${number}/ask-password`);
    expect(asked).toMatchObject({ status: 200, body: { trade_state: "USERPAYING" } });
    expect(await callControl(provider, "POST", `/orders/${number}/ask-password`)).toMatchObject({ status: 200 });
    expect((await merchant.query(number)).fields).toMatchObject({ trade_state: "USERPAYING" });
    expect((await merchant.close(number)).fields).toMatchObject({ err_code: "USERPAYING" });
    expect(await callControl(provider, "POST", `/orders/${number}${path}`, body)).toMatchObject({
      status: 200,
      body: { trade_state: end },
    });
    expect((await merchant.query(number)).fields).toMatchObject({ trade_state: end });
  });

  it("gives the buyer of a code order another go, and only the time for the password", async () => {
    await using own = await startTestProvider();
    const asked = async () => (await callControl(own, "POST", "/orders/ANOTHER_GO/ask-password")).body["trade_state"];
    const state = async () => (await orderDetails(own, "ANOTHER_GO")).order.trade_state;
    await createMerchantV2(own).micropay("ANOTHER_GO", { total_fee: "100001" });
    await callControl(own, "POST", "/orders/ANOTHER_GO/fail", { how: "cancel" });
    expect(await asked()).toBe("USERPAYING");
    own.clock.offsetMs += 45_000;
    expect(await state()).toBe("NOTPAY");
    expect(await asked()).toBe("USERPAYING");
    await callControl(own, "POST", "/orders/ANOTHER_GO/fail", { how: "bank" });
    expect(await state()).toBe("PAYERROR");
  });

  it("answers 409 for orders that are not scanned, are over, or were paid", async () => {
    const ask = (number: string) => callControl(provider, "POST", `/orders/${number}/ask-password`);
    await merchant.place("ASKED_IN_APP");
    expect(await ask("ASKED_IN_APP")).toMatchObject({
      status: 409,
      body: { code: "trade_error", Message: expect.stringContaining("NATIVE") },
    });
    await merchant.place("ASKED_TOO_LATE", { trade_type: "NATIVE" });
    await callControl(provider, "POST", "/orders/ASKED_TOO_LATE/expire");
    expect(await ask("ASKED_TOO_LATE")).toMatchObject({ status: 409, body: { code: "order_expired" } });
    await merchant.paid("ASKED_PAID");
    expect(await ask("ASKED_PAID")).toMatchObject({ status: 409, body: { code: "orderpaid" } });
    expect(await ask("NOBODYS_ORDER")).toMatchObject({ status: 404 });
  });
});
