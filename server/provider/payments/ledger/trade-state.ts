/**
 * The states of an order and the ways between them. No other file says which transitions exist, and every change of a
 * trade_state goes through `sourcesOf` and `targetOf`.
 */
import type { TradeState, TradeType } from "../../../contract/payment-terms.ts";

interface Transition {
  /** Empty: the order comes into being. */
  readonly from: readonly TradeState[];
  readonly to: TradeState;
  /** Only orders that are paid by showing a payment code. */
  readonly codeOnly?: true;
}

const transitions = {
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
} as const satisfies Record<string, Transition>;

/** What can happen to an order. */
export type TradeEvent = keyof typeof transitions;

/** The states in which an order of this product lets it happen. */
export function sourcesOf(event: TradeEvent, tradeType: TradeType): readonly TradeState[] {
  const { from, codeOnly }: Transition = transitions[event];
  return codeOnly && tradeType !== "MICROPAY" ? [] : from;
}

export const targetOf = (event: TradeEvent): TradeState => transitions[event].to;

export const allows = (event: TradeEvent, order: { tradeState: TradeState; tradeType: TradeType }): boolean =>
  sourcesOf(event, order.tradeType).includes(order.tradeState);
