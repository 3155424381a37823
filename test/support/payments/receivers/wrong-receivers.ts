/** Receivers that are wrong in one way each, and right in all others: whoever looks for what is wrong has to find them. */
import type { EventBus } from "../../../../server/events/event-bus.ts";
import { decision } from "../../../../server/app/payments/store/order-history.ts";
import type { Order } from "../../../../server/app/payments/store/order-rows.ts";
import {
  createSettleOrder,
  type SettleDeps,
  type SettleOrder,
} from "../../../../server/app/payments/orders/settle-order.ts";

function publishSettled(bus: EventBus, { id, outTradeNo, amount }: Order, transactionId: string): void {
  const data = { order_id: id, out_trade_no: outTradeNo, amount, transaction_id: transactionId };
  bus.publish({ type: "payment.settled", source: "/app/payments", subject: outTradeNo, data });
}

/** A notification whose result_code is SUCCESS is proof enough. */
export const trustsResultCode = (deps: SettleDeps): SettleOrder => {
  const right = createSettleOrder(deps);
  return async (order, options) => {
    const told = options.before?.find(({ kind }) => kind === "notification");
    const transactionId = options.claim?.transactionId;
    if (told?.resultCode !== "SUCCESS" || transactionId === undefined) return right(order, options);
    const text = "The notification says SUCCESS.";
    const entries = [told, decision("settle", "settled", text, "SUCCESS")];
    const settled = await deps.store.settle(order, { transactionId, paidAt: undefined }, entries, {
      reversing: 0,
      inquireAgainAt: undefined,
      eventOf: () => undefined,
    });
    if (settled) publishSettled(deps.bus, settled, transactionId);
    return { verdict: "settled", order: settled ?? order, text };
  };
};

/** What was bought is handed out again for each notification of the payment. */
export const settlesTwice = (deps: SettleDeps): SettleOrder => {
  const right = createSettleOrder(deps);
  return async (order, options) => {
    const inquiry = await right(order, options);
    if (inquiry.verdict === "already_settled")
      publishSettled(deps.bus, inquiry.order, inquiry.order.transactionId ?? "");
    return inquiry;
  };
};

/** Paid is paid, however much it was. */
export const ignoresAmount = (deps: SettleDeps): SettleOrder => {
  const right = createSettleOrder({
    ...deps,
    provider: {
      async queryOrder(outTradeNo, withinMs) {
        const result = await deps.provider.queryOrder(outTradeNo, withinMs);
        const total = (await deps.store.byOutTradeNo(outTradeNo))?.amount;
        return result.outcome === "done" ? { ...result, value: { ...result.value, total, currency: "CNY" } } : result;
      },
    },
  });
  return async (order, { claim, ...options }) =>
    right(order, { ...options, ...(claim && { claim: { ...claim, total: order.amount, currency: "CNY" } }) });
};
