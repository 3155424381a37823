/** Strict readers for fields that both versions have alike. An invalid field makes a reply unfit. */
import { message } from "../../../contract/messages/message.ts";
import {
  refundStatus,
  tradeState,
  type RefundStatus,
  type TradeState,
} from "../../../contract/provider/payment-terms.ts";
import { UnfitReply } from "./call-results.ts";
import type { QueriedOrder } from "./provider-client.ts";

const states = new Set<string>(tradeState.options);

/** @throws UnfitReply for an unknown word */
export function readTradeState(word: string | undefined): TradeState {
  // A transient state of entrusted deductions: as far as we can tell, not paid.
  if (word === "ACCEPT") return "NOTPAY";
  if (word !== undefined && states.has(word)) return word as TradeState;
  throw new UnfitReply("malformed", message("reply.tradeState"));
}

/** Fen. Undefined where there is none. @throws UnfitReply */
export function readFen(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new UnfitReply("malformed", message("reply.amount"));
}

/** A paid order has its amount and payment number; without these it could not be matched. */
export function withPayment(order: QueriedOrder): QueriedOrder {
  if (order.tradeState === "SUCCESS" && (order.total === undefined || order.transactionId === undefined))
    throw new UnfitReply("malformed", message("reply.success"));
  return order;
}

const refundStatuses = new Map<string, RefundStatus>([
  ...refundStatus.options.map((status) => [status, status] as const),
  ["CHANGE", "ABNORMAL"],
  ["REFUNDCLOSE", "CLOSED"],
]);

/** In the words of version 3, whichever version the reply has. */
export const refundStatusOf = (word: string | undefined): RefundStatus | undefined => refundStatuses.get(word ?? "");

/** @throws UnfitReply */
export function readRefundStatus(word: string | undefined): RefundStatus {
  const status = refundStatusOf(word);
  if (status === undefined) throw new UnfitReply("malformed", message("reply.refundStatus"));
  return status;
}
