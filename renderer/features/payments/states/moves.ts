/** Which moves an order's state allows, by the provider's own table. */
import type { TradeState, TradeType } from "../../../../server/contract/payment-terms.ts";
import {
  tradeStateMoves,
  type TradeEvent,
  type TradeStateMove,
} from "../../../../server/contract/trade-state-moves.ts";

export interface Move {
  readonly event: TradeEvent;
  readonly from: TradeState;
  readonly to: TradeState;
  readonly codeOnly: boolean;
}

const events = Object.keys(tradeStateMoves) as TradeEvent[];

/** From one state to another; those by which an order comes into being, and those that stay where they are, are none. */
export const moves: readonly Move[] = events.flatMap((event) => {
  const { from, to, codeOnly }: TradeStateMove = tradeStateMoves[event];
  return from.filter((state) => state !== to).map((state) => ({ event, from: state, to, codeOnly: codeOnly === true }));
});

interface Stated {
  readonly state: TradeState;
  readonly type: TradeType;
}

/** Whether orders of this type ever make it. */
export const isFor = ({ codeOnly }: { codeOnly: boolean }, type: TradeType) => !codeOnly || type === "MICROPAY";

export function allows(event: TradeEvent, { state, type }: Stated): boolean {
  const { from, codeOnly }: TradeStateMove = tradeStateMoves[event];
  return from.includes(state) && isFor({ codeOnly: codeOnly === true }, type);
}

export const movesFrom = ({ state, type }: Stated): Move[] =>
  moves.filter((move) => move.from === state && isFor(move, type));

/** The states that orders of this type can ever be in. */
export function reachable(type: TradeType): ReadonlySet<TradeState> {
  const states = new Set<TradeState>();
  for (const event of events) {
    const { from, to, codeOnly }: TradeStateMove = tradeStateMoves[event];
    if (from.length === 0 && isFor({ codeOnly: codeOnly === true }, type)) states.add(to);
  }
  // A set that grows while it is gone through hands out what was added, too.
  for (const state of states) for (const { to } of movesFrom({ state, type })) states.add(to);
  return states;
}
