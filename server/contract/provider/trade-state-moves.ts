/** The transitions between an order's states at the provider, for its ledger and for diagrams. */
import type { TradeState, TradeType } from "./payment-terms.ts";

export interface TradeStateMove {
  /** Empty: the order is created. */
  readonly from: readonly TradeState[];
  readonly to: TradeState;
  /** Only orders of these types; all types when absent. */
  readonly only?: readonly TradeType[];
}

/** Paid by showing a payment code. */
const byCode = ["MICROPAY"] as const;
/** Paid by a code that one side shows and the other one scans. */
const byScan = ["MICROPAY", "NATIVE"] as const;

/** The event that causes it. */
export const tradeStateMoves = {
  ordered: { from: [], to: "NOTPAY" },
  paidByCode: { from: [], to: "SUCCESS", only: byCode },
  /**
   * Some payments by code start with it. For other waiting orders it is set only through the simulator's control; the
   * real platform never reports it for NATIVE ones.
   */
  passwordAsked: { from: ["NOTPAY"], to: "USERPAYING", only: byScan },
  paid: { from: ["NOTPAY", "USERPAYING"], to: "SUCCESS" },
  /** By the bank, or in the password dialog. */
  refused: { from: ["USERPAYING"], to: "PAYERROR", only: byCode },
  /** The deduction that a contract allows has failed. */
  notDeducted: { from: ["NOTPAY"], to: "PAYERROR", only: ["PAP"] },
  /** The buyer cancels, or the time for the password expires. */
  givenUp: { from: ["USERPAYING"], to: "NOTPAY", only: byScan },
  /** By the merchant, or by the platform after its time. */
  closed: { from: ["NOTPAY"], to: "CLOSED" },
  refunded: { from: ["SUCCESS", "REFUND"], to: "REFUND" },
  reversed: { from: ["SUCCESS", "NOTPAY", "PAYERROR"], to: "REVOKED", only: byCode },
} as const satisfies Record<string, TradeStateMove>;

/** Whether it can happen to orders of this type. */
export const happensTo = ({ only }: Pick<TradeStateMove, "only">, type: TradeType): boolean =>
  only?.includes(type) ?? true;

/** The events of an order. */
export type TradeEvent = keyof typeof tradeStateMoves;
