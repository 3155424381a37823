/** Notifications of refunds in either version, sent by the simulator: what contradicts the refund is refused. */
import { expect, it } from "vitest";
import type { PayVersion } from "../../../server/contract/provider/payment-terms.ts";
import type { OrderDetails } from "../../support/payments/order-details.ts";
import { startPaymentsApp } from "../../support/payments/payments-app.ts";

const versions: PayVersion[] = ["v2", "v3"];
const contradictions = [
  ["notification_foreign", { field: "transaction_id" }, "transaction_mismatch"],
  ["wrong_amount", { by: 1 }, "amount_mismatch"],
  ["wrong_amount", { currency: "USD" }, "amount_mismatch"],
] as const;

it.each(versions)("of %s are refused for another payment, amount or currency, and change nothing", async (version) => {
  await using payments = await startPaymentsApp({ notified: true, settings: { payment_version: version } });
  await payments.sim("PATCH", "/settings", { refund_seconds: 0 });
  const order = await payments.place();
  const path = `/orders/${order.out_trade_no}`;
  await payments.pay(order);
  await expect.poll(async () => (await payments.stored(order.id)).settled_at).toBeDefined();
  for (const [kind, params, reason] of contradictions) {
    await payments.sim("POST", "/faults", { kind, params, times: 1 });
    const { out_refund_no } = (await payments.refund(order.id, { amount: 10 })).body.data;
    const status = async () =>
      (await payments.stored(order.id)).refunds.find((one) => one.out_refund_no === out_refund_no)?.status;
    const verdict = async () =>
      (await payments.sim<OrderDetails>("GET", path)).notifications.at(-1)?.attempts[0]?.verdict;
    await expect.poll(verdict).toBe("refused");
    expect([await status(), (await payments.decisions(order.id)).at(-1)]).toEqual(["PROCESSING", reason]);
    const genuine = { kind: "genuine", params: { about: "refund" } };
    expect(await payments.sim("POST", `${path}/notifications`, genuine)).toMatchObject({
      deliveries: [{ verdict: "accepted" }],
    });
    expect(await status()).toBe("SUCCESS");
  }
});
