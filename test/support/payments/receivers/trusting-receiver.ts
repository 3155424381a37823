/**
 * A receiver as it must not be: it believes whatever body comes in and takes result_code for proof. Tests of the real one
 * are run against it, too, and have to fail.
 */
import type { Order } from "../../../../server/app/payments/store/order-rows.ts";
import type { PaymentNotification } from "../../../../server/app/payments/provider/provider-client.ts";
import type { InquiryOptions, SettleDeps, SettleOrder } from "../../../../server/app/payments/orders/settle-order.ts";

const fieldOf = (text: string, name: string) =>
  new RegExp(`<${name}>(?:<!\\[CDATA\\[)?([^<\\]]*)`).exec(text)?.[1] ?? "";

export async function readWhatever(body: Buffer): Promise<PaymentNotification> {
  const text = body.toString("utf8");
  return {
    kind: "payment",
    version: "v2",
    outTradeNo: fieldOf(text, "out_trade_no"),
    transactionId: fieldOf(text, "transaction_id"),
    total: Number(fieldOf(text, "total_fee")),
    currency: "CNY",
    resultCode: fieldOf(text, "result_code"),
  };
}

const silent = { reversing: 0, inquireAgainAt: undefined, eventOf: () => undefined } as const;

export const settleByResultCode = ({ store, bus }: SettleDeps): SettleOrder => {
  async function settle(order: Order, { claim }: InquiryOptions): Promise<Order> {
    const transactionId = claim?.transactionId ?? `T${order.outTradeNo}`;
    const settled = (await store.settle(order, { transactionId, paidAt: undefined }, [], silent)) ?? order;
    bus.publish({
      type: "payment.settled",
      source: "/app/payments",
      subject: order.outTradeNo,
      data: { order_id: order.id, out_trade_no: order.outTradeNo, amount: order.amount, transaction_id: transactionId },
    });
    return settled;
  }
  return async (order, options) => {
    const last = options.before?.at(-1);
    if (last?.resultCode !== "SUCCESS") return { verdict: "not_paid", order, text: "result_code is not SUCCESS" };
    if (last.name === "closeorder") {
      const closed = await store.changeState(order.outTradeNo, "CLOSED", {}, []);
      return { verdict: "recorded", order: closed ?? order, text: "result_code of the close is SUCCESS" };
    }
    return { verdict: "settled", order: await settle(order, options), text: "result_code is SUCCESS" };
  };
};
