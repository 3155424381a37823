/**
 * The states of an order and the ways between them, as the platform has them (contract: payments, Trade states). Every
 * change of a trade_state goes through `sourcesOf` and `targetOf`.
 */
import type { TradeState, TradeType } from "../../../contract/provider/payment-terms.ts";
import {
  happensTo,
  tradeStateMoves,
  type TradeEvent,
  type TradeStateMove,
} from "../../../contract/provider/trade-state-moves.ts";

/** The states in which an order of this product allows the event. */
export function sourcesOf(event: TradeEvent, tradeType: TradeType): readonly TradeState[] {
  const move: TradeStateMove = tradeStateMoves[event];
  return happensTo(move, tradeType) ? move.from : [];
}

export const targetOf = (event: TradeEvent): TradeState => tradeStateMoves[event].to;

export const allows = (event: TradeEvent, order: { tradeState: TradeState; tradeType: TradeType }): boolean =>
  sourcesOf(event, order.tradeType).includes(order.tradeState);
