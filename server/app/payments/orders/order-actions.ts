/** Actions on an order, by its owner or by a person at the console. Each succeeds or throws a refusal. */
import { forbiddenState, outcomeUnknown, refusedByProvider } from "../provider/refusal-statuses.ts";
import type { EndOrder, OrderEnding } from "./end-order.ts";
import type { Order } from "../store/order-rows.ts";
import { pathOfOrder } from "./place-order.ts";
import type { Refunding, RefundCommand } from "./refund-order.ts";
import type { StoredRefund } from "../store/refund-store.ts";
import { isOpen } from "../store/trade-states.ts";

/** Callers must hold the order's mutex. `why` is recorded in the order's history. */
export interface OrderActions {
  /**
   * @throws HttpError 403 for an order that is paid or is paid by code, or a refusal of the provider; 503 when it does
   * not answer
   */
  close(order: Order, why: string): Promise<Order>;
  /** @throws HttpError as `Refunding.refund` */
  refund(order: Order, request: RefundCommand): Promise<StoredRefund>;
  /**
   * @throws HttpError 403 for an order that is not paid by code, or is being refunded; 503 when the provider does not
   * answer
   */
  reverse(order: Order, why: string): Promise<Order>;
}

interface Deps {
  readonly ending: EndOrder;
  readonly refunding: Pick<Refunding, "refund">;
}

/** @throws HttpError when the order did not reach the wanted state */
function ended({ order, failure }: OrderEnding, wanted: readonly Order["tradeState"][]): Order {
  if (wanted.includes(order.tradeState)) return order;
  if (failure?.outcome === "refused") throw refusedByProvider(failure);
  if (failure) throw outcomeUnknown(failure, "Nobody knows whether it was done:", { location: pathOfOrder(order) });
  throw forbiddenState("ORDERPAID", `The order is ${order.tradeState} by now: refund it instead.`);
}

export const createOrderActions = ({ ending, refunding }: Deps): OrderActions => ({
  async close(order, why) {
    if (order.tradeState === "CLOSED") return order;
    if (order.tradeType === "MICROPAY")
      throw forbiddenState("TRADE_ERROR", "A payment by code is not closed but reversed: POST …/reversals.");
    if (!isOpen(order.tradeState)) throw forbiddenState("ORDERPAID", `The order is ${order.tradeState}.`);
    return ended(await ending.close(order, why), ["CLOSED"]);
  },

  refund: (order, request) => refunding.refund(order, request),

  async reverse(order, why) {
    if (order.tradeType !== "MICROPAY")
      throw forbiddenState("TRADE_ERROR", "Only a payment by code can be reversed: close or refund this one.");
    if (order.tradeState === "REVOKED" || order.tradeState === "CLOSED") return order;
    if (order.tradeState === "REFUND") throw forbiddenState("ORDERREFUNDED", "The order is being refunded.");
    return ended(await ending.reverse(order, why, { isWanted: true }), ["REVOKED", "CLOSED"]);
  },
});
