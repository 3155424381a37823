/** What each state of an order means here, and which may follow which. The provider's query order alone tells the state. */
import type { TradeState } from "../../../contract/provider/payment-terms.ts";

/** These may still be paid; the provider is asked about them. */
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

/** The states that a change to `to` may come from. */
export const statesBefore = (to: TradeState): TradeState[] =>
  (Object.keys(followers) as TradeState[]).filter((from) => mayFollow(from, to));
