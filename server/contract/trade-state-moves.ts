/** The ways between the states of an order, as the provider knows them: for its ledger, and for whoever draws them. */
import type { TradeState } from "./payment-terms.ts";

export interface TradeStateMove {
  /** Empty: the order comes into being. */
  readonly from: readonly TradeState[];
  readonly to: TradeState;
  /** Only orders that are paid by showing a payment code. */
  readonly codeOnly?: true;
}

/** By what happens to the order. */
export const tradeStateMoves = {
  ordered: { from: [], to: "NOTPAY" },
  paidByCode: { from: [], to: "SUCCESS", codeOnly: true },
  passwordAsked: { from: [], to: "USERPAYING", codeOnly: true },
  paid: { from: ["NOTPAY", "USERPAYING"], to: "SUCCESS" },
  /** By the bank, or in the password dialog. */
  refused: { from: ["USERPAYING"], to: "PAYERROR", codeOnly: true },
  /** The buyer cancels, or the time for the password is over. */
  givenUp: { from: ["USERPAYING"], to: "NOTPAY", codeOnly: true },
  /** By the merchant, or by the platform after its time. */
  closed: { from: ["NOTPAY"], to: "CLOSED" },
  refunded: { from: ["SUCCESS", "REFUND"], to: "REFUND" },
  reversed: { from: ["SUCCESS", "NOTPAY", "PAYERROR"], to: "REVOKED", codeOnly: true },
} as const satisfies Record<string, TradeStateMove>;

/** What can happen to an order. */
export type TradeEvent = keyof typeof tradeStateMoves;
