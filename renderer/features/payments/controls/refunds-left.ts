import type { StoredOrderDetail } from "../../../../server/contract/app/payments.ts";

/** Of one order, by the provider's rules. */
const mostRefunds = 50;

/** What has been refunded of an order, what can still be, and in how many refunds. A closed refund gave nothing back. */
export function leftToRefund({ amount, refunds }: Pick<StoredOrderDetail, "amount" | "refunds">) {
  const given = refunds.filter(({ status }) => status !== "CLOSED").reduce((sum, refund) => sum + refund.amount, 0);
  return { given, fen: amount - given, times: Math.max(0, mostRefunds - refunds.length) };
}
