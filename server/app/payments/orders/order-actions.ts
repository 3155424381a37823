/**
 * Closing and reversing an order for its owner or a person at the console. Callers must hold the order's mutex. `why` is
 * recorded in the order's history.
 */
import { refuse } from "../../../http/http-error.ts";
import { withErrCode, outcomeUnknown, refusedByProvider } from "../provider/refusal-statuses.ts";
import type { EndOrder, OrderEnding } from "./end-order.ts";
import type { Order } from "../store/order-rows.ts";
import { pathOfOrder } from "./place-order.ts";
import { isOpen } from "../store/trade-states.ts";

/**
 * @throws HttpError 403 for an order that is paid or is paid by code, or a refusal of the provider; 503 when it does not
 * answer
 */
export async function closeOpenOrder(ending: EndOrder, order: Order, why: string): Promise<Order> {
  if (order.tradeState === "CLOSED") return order;
  if (order.tradeType === "MICROPAY") throw refuse("pay.closedByCode", undefined, withErrCode("TRADE_ERROR"));
  if (!isOpen(order.tradeState)) throw refuse("pay.state", { state: order.tradeState }, withErrCode("ORDERPAID"));
  return ended(await ending.close(order, why), ["CLOSED"]);
}

/**
 * @throws HttpError 403 for an order that is not paid by code, or is being refunded; 503 when the provider does not answer
 */
export async function reversePaymentByCode(ending: EndOrder, order: Order, why: string): Promise<Order> {
  if (order.tradeType !== "MICROPAY") throw refuse("pay.notByCode", undefined, withErrCode("TRADE_ERROR"));
  if (order.tradeState === "REVOKED" || order.tradeState === "CLOSED") return order;
  if (order.tradeState === "REFUND") throw refuse("pay.refunding", undefined, withErrCode("ORDERREFUNDED"));
  const reversed = await ending.reverse(order, why, { isWanted: true });
  // Alipay gives the money of a paid order back by a refund.
  return ended(reversed, reversed.failure ? ["REVOKED", "CLOSED"] : ["REVOKED", "CLOSED", "REFUND"]);
}

/** @throws HttpError when the order is in none of the states `expected` */
function ended({ order, failure }: OrderEnding, expected: readonly Order["tradeState"][]): Order {
  if (expected.includes(order.tradeState)) return order;
  if (failure?.outcome === "refused") throw refusedByProvider(failure);
  if (failure) throw outcomeUnknown(failure, "unknown.done", { location: pathOfOrder(order) });
  throw refuse("pay.nowOtherwise", { state: order.tradeState }, withErrCode("ORDERPAID"));
}
