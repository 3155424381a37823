/** Actions on an order, by its owner or by a person at the console. Each succeeds or throws a refusal. */
import { refuse } from "../../../http/http-error.ts";
import { errCode, outcomeUnknown, refusedByProvider } from "../provider/refusal-statuses.ts";
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
  if (failure) throw outcomeUnknown(failure, "unknown.done", { location: pathOfOrder(order) });
  throw refuse("pay.nowOtherwise", { state: order.tradeState }, errCode("ORDERPAID"));
}

export const createOrderActions = ({ ending, refunding }: Deps): OrderActions => ({
  async close(order, why) {
    if (order.tradeState === "CLOSED") return order;
    if (order.tradeType === "MICROPAY") throw refuse("pay.closedByCode", undefined, errCode("TRADE_ERROR"));
    if (!isOpen(order.tradeState)) throw refuse("pay.state", { state: order.tradeState }, errCode("ORDERPAID"));
    return ended(await ending.close(order, why), ["CLOSED"]);
  },

  refund: (order, request) => refunding.refund(order, request),

  async reverse(order, why) {
    if (order.tradeType !== "MICROPAY") throw refuse("pay.notByCode", undefined, errCode("TRADE_ERROR"));
    if (order.tradeState === "REVOKED" || order.tradeState === "CLOSED") return order;
    if (order.tradeState === "REFUND") throw refuse("pay.refunding", undefined, errCode("ORDERREFUNDED"));
    return ended(await ending.reverse(order, why, { isWanted: true }), ["REVOKED", "CLOSED"]);
  },
});
