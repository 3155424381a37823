/** Falsified orders, for queries and notifications that lie. */
import type { TradeState } from "../../../contract/provider/payment-terms.ts";
import type { Order } from "../ledger/ledger.ts";

/** A number that no payment has. */
const strangeTransactionId = (order: Pick<Order, "id">): string =>
  `4200009999${String(order.id).padStart(18, "0").slice(-18)}`;

/** The order with the same change to its parts, if it is a combined one. */
const withParts = (order: Order, changed: Order, change: (part: Order) => Order): Order =>
  order.parts ? { ...changed, parts: order.parts.map(change) } : changed;

/** The order as if it were paid; a paid one unchanged. */
export const asPaid = (order: Order, now: number): Order =>
  withParts(order, paid(order, now), (part) => paid(part, now));

const paid = (order: Order, now: number): Order => ({
  ...order,
  tradeState: "SUCCESS",
  transactionId: order.transactionId ?? strangeTransactionId(order),
  paidAt: order.paidAt ?? now,
  bankType: order.bankType ?? "OTHERS",
});

/**
 * The order in another state. If that state means that money was taken, it has all data of a paid order, otherwise
 * none.
 */
export function inState(order: Order, tradeState: TradeState, now: number): Order {
  const changed = (one: Order): Order =>
    tradeState === "SUCCESS" || tradeState === "REFUND"
      ? { ...paid(one, now), tradeState }
      : { ...one, tradeState, transactionId: undefined, paidAt: undefined, bankType: undefined };
  return withParts(order, changed(order), changed);
}

/** @param by fen */
export function withAmount(order: Order, by: number, currency: string | undefined): Order {
  const changed = (one: Order): Order => ({
    ...one,
    total: Math.max(0, one.total + by),
    currency: currency ?? one.currency,
  });
  return withParts(order, changed(order), changed);
}
