/** The transitions that an order's state allows, from the provider's own table. */
import type { TradeState, TradeType } from "../../../../server/contract/provider/payment-terms.ts";
import {
  happensTo,
  tradeStateMoves,
  type TradeEvent,
  type TradeStateMove,
} from "../../../../server/contract/provider/trade-state-moves.ts";

export interface StateMove {
  readonly event: TradeEvent;
  readonly from: TradeState;
  readonly to: TradeState;
  readonly only?: readonly TradeType[];
}

const events = Object.keys(tradeStateMoves) as TradeEvent[];

/** Transitions between two different states; creation and self-loops are left out. */
export const moves: readonly StateMove[] = events.flatMap((event) => {
  const { from, to, ...rest }: TradeStateMove = tradeStateMoves[event];
  return from.filter((state) => state !== to).map((state) => ({ event, from: state, to, ...rest }));
});

interface Stated {
  readonly state: TradeState;
  readonly type: TradeType;
}

export function allowsMove(event: TradeEvent, { state, type }: Stated): boolean {
  const move: TradeStateMove = tradeStateMoves[event];
  return move.from.includes(state) && happensTo(move, type);
}

export const movesFrom = ({ state, type }: Stated): StateMove[] =>
  moves.filter((move) => move.from === state && happensTo(move, type));

/** The states that orders of this type can reach. */
export function reachable(type: TradeType): ReadonlySet<TradeState> {
  const states = new Set<TradeState>();
  for (const event of events) {
    const move: TradeStateMove = tradeStateMoves[event];
    if (move.from.length === 0 && happensTo(move, type)) states.add(move.to);
  }
  // Iterating over a set includes the members added meanwhile.
  for (const state of states) for (const { to } of movesFrom({ state, type })) states.add(to);
  return states;
}
