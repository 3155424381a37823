import type { Order } from "../store/order-rows.ts";
import { isOpen } from "../store/trade-states.ts";
import { outcomeUnknown } from "../provider/refusal-statuses.ts";
import type { SettleOrder } from "./settle-order.ts";

/**
 * The order after query order was asked, for it may be paid without a notification; one that has ended as it is.
 * @throws HttpError 503 when the query fails
 */
export async function settledOrder(settle: SettleOrder, order: Order, why: string): Promise<Order> {
  if (!isOpen(order.tradeState)) return order;
  const inquiry = await settle(order, { why });
  if (inquiry.verdict === "query_failed") throw outcomeUnknown(inquiry.failed, "unknown.paid");
  return inquiry.order;
}
