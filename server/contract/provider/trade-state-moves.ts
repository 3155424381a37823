/** The ways between the states of an order, as the provider knows them: for its ledger, and for whoever draws them. */
import type { TradeState, TradeType } from "./payment-terms.ts";

export interface TradeStateMove {
  /** Empty: the order comes into being. */
  readonly from: readonly TradeState[];
  readonly to: TradeState;
  /** Only orders of these types; any where nothing is said. */
  readonly only?: readonly TradeType[];
}

/** Paid by showing a payment code. */
const byCode = ["MICROPAY"] as const;
/** Paid by a code that one side shows and the other one scans. */
const byScan = ["MICROPAY", "NATIVE"] as const;

/** By what happens to the order. */
export const tradeStateMoves = {
  ordered: { from: [], to: "NOTPAY" },
  paidByCode: { from: [], to: "SUCCESS", only: byCode },
  /**
   * Some payments by code begin with it. Of an order that waits, which the real platform never tells of NATIVE ones, only
   * whoever controls the simulator says so.
   */
  passwordAsked: { from: ["NOTPAY"], to: "USERPAYING", only: byScan },
  paid: { from: ["NOTPAY", "USERPAYING"], to: "SUCCESS" },
  /** By the bank, or in the password dialog. */
  refused: { from: ["USERPAYING"], to: "PAYERROR", only: byCode },
  /** The buyer cancels, or the time for the password is over. */
  givenUp: { from: ["USERPAYING"], to: "NOTPAY", only: byScan },
  /** By the merchant, or by the platform after its time. */
  closed: { from: ["NOTPAY"], to: "CLOSED" },
  refunded: { from: ["SUCCESS", "REFUND"], to: "REFUND" },
  reversed: { from: ["SUCCESS", "NOTPAY", "PAYERROR"], to: "REVOKED", only: byCode },
} as const satisfies Record<string, TradeStateMove>;

/** Whether it ever happens to orders of this type. */
export const happensTo = ({ only }: Pick<TradeStateMove, "only">, type: TradeType): boolean =>
  only?.includes(type) ?? true;

/** What can happen to an order. */
export type TradeEvent = keyof typeof tradeStateMoves;
