/** Falsified orders, for queries and notifications that lie. */
import type { TradeState } from "../../../contract/provider/payment-terms.ts";
import type { Order } from "../ledger/ledger.ts";

/** A number that no payment has. */
const strangeTransactionId = (order: Pick<Order, "id">): string =>
  `4200009999${String(order.id).padStart(18, "0").slice(-18)}`;

/** The order as if it were paid; a paid one unchanged. */
export const asPaid = (order: Order, now: number): Order => ({
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
  if (tradeState === "SUCCESS" || tradeState === "REFUND") return { ...asPaid(order, now), tradeState };
  return { ...order, tradeState, transactionId: undefined, paidAt: undefined, bankType: undefined };
}

/** @param by fen */
export const withAmount = (order: Order, by: number, currency: string | undefined): Order => ({
  ...order,
  total: Math.max(0, order.total + by),
  currency: currency ?? order.currency,
});
