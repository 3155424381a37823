import type { StoredOrderDetail } from "../../../../server/contract/app/payments.ts";

/** The provider's limit for one order. */
const mostRefunds = 50;

/**
 * The refunded amount of an order, the amount under way, the rest, and the number of refunds left. A closed refund
 * gave nothing back; one that could not be paid out holds its amount.
 */
export function leftToRefund({ amount, refunds }: Pick<StoredOrderDetail, "amount" | "refunds">) {
  const sum = (...of: StoredOrderDetail["refunds"][number]["status"][]) =>
    refunds.filter(({ status }) => of.includes(status)).reduce((total, refund) => total + refund.amount, 0);
  return {
    refunded: sum("SUCCESS"),
    underWay: sum("PROCESSING"),
    fen: amount - sum("SUCCESS", "PROCESSING", "ABNORMAL"),
    times: Math.max(0, mostRefunds - refunds.length),
  };
}
