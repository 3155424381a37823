/** The states of an order and their transitions. Only the provider's query order sets a state. */
import type { TradeState } from "../../../contract/provider/payment-terms.ts";

/** Orders in these states may still be paid; the provider is queried about them. */
export const openStates: readonly TradeState[] = ["NOTPAY", "USERPAYING"];

export const isOpen = (state: TradeState) => openStates.includes(state);

const followers: Readonly<Record<TradeState, readonly TradeState[]>> = {
  NOTPAY: ["SUCCESS", "REFUND", "CLOSED", "REVOKED", "USERPAYING", "PAYERROR"],
  USERPAYING: ["SUCCESS", "REFUND", "CLOSED", "REVOKED", "NOTPAY", "PAYERROR"],
  SUCCESS: ["REFUND", "REVOKED"],
  PAYERROR: ["REVOKED"],
  REFUND: [],
  CLOSED: [],
  REVOKED: [],
};

export const mayFollow = (from: TradeState, to: TradeState) => followers[from].includes(to);

/** The states from which a change to `to` is allowed. */
export const statesBefore = (to: TradeState): TradeState[] =>
  (Object.keys(followers) as TradeState[]).filter((from) => mayFollow(from, to));
