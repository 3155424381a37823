/** Orders that are not as the ledger has them, for queries and notifications that lie. */
import type { TradeState } from "../../../contract/provider/payment-terms.ts";
import type { Order } from "../ledger/ledger.ts";

/** Digits that no payment has been given. */
const strangeTransactionId = (order: Pick<Order, "id">): string =>
  `4200009999${String(order.id).padStart(18, "0").slice(-18)}`;

/** The order as if it had been paid; a paid one as it is. */
export const asPaid = (order: Order, now: number): Order => ({
  ...order,
  tradeState: "SUCCESS",
  transactionId: order.transactionId ?? strangeTransactionId(order),
  paidAt: order.paidAt ?? now,
  bankType: order.bankType ?? "OTHERS",
});

/** The order in another state; one in which money was taken has all that a paid one has, any other nothing of it. */
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
