/**
 * The states of an order and the ways between them, as the platform has them (contract: payments, Trade states). Every
 * change of a trade_state goes through `sourceStatesOf` and `targetOf`.
 */
import type { TradeState, TradeType } from "../../../contract/provider/payment-terms.ts";
import {
  happensTo,
  tradeStateMoves,
  type TradeEvent,
  type TradeStateMove,
} from "../../../contract/provider/trade-state-moves.ts";

/** The states in which an order of this product allows the event. */
export function sourceStatesOf(event: TradeEvent, tradeType: TradeType): readonly TradeState[] {
  const move: TradeStateMove = tradeStateMoves[event];
  return happensTo(move, tradeType) ? move.from : [];
}

export const targetOf = (event: TradeEvent): TradeState => tradeStateMoves[event].to;

export const allowsEvent = (event: TradeEvent, order: { tradeState: TradeState; tradeType: TradeType }): boolean =>
  sourceStatesOf(event, order.tradeType).includes(order.tradeState);
