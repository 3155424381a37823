/**
 * The history of an order: each call, reply, notification and decision, with the reason. It has no key and no openid.
 */
import { parseStoredText } from "./stored-text.ts";
import { message, type Text } from "../../../contract/messages/message.ts";
import type { Selectable } from "kysely";
import type { HistoryEntry } from "../../../contract/app/payments.ts";
import { parseFaultMarks } from "../../../contract/fault-mark.ts";
import { presentIds } from "../../../trace/span.ts";
import type { OrderHistoryTable } from "./orders-tables.ts";
import type { CallResult, PaymentNotification, RefundNotification } from "../provider/provider-client.ts";

export interface OrderEntry {
  /** When it happened, in Unix ms; by default when it is stored. */
  readonly at?: number;
  readonly kind: OrderHistoryTable["kind"];
  readonly name: string;
  /** One word. */
  readonly reason: string;
  /** One sentence. */
  readonly text: Text;
  readonly returnCode?: string | undefined;
  readonly resultCode?: string | undefined;
  readonly tradeState?: string | undefined;
  readonly errCode?: string | undefined;
  readonly httpStatus?: number | undefined;
}

/** The calls, by their names in version 2. */
export type MerchantCallName =
  "unifiedorder" | "micropay" | "orderquery" | "closeorder" | "reverse" | "refund" | "refundquery";

/** @param at when the call was sent, in Unix ms */
export const callEntry = (name: MerchantCallName, reason: string, text: Text, at: number): OrderEntry => ({
  kind: "call",
  ...{ name, reason, text, at },
});

export const decision = (name: string, reason: string, text: Text, tradeState?: string): OrderEntry => ({
  kind: "decision",
  ...{ name, reason, text, tradeState },
});

/** @param claim when the reply came, in Unix ms, and what a successful one states about the order or the refund */
export function replyEntry(
  name: MerchantCallName,
  result: CallResult<unknown>,
  { at, ...claim }: { readonly at: number; readonly text: Text; readonly tradeState?: string | undefined },
): OrderEntry {
  const common = { kind: "reply", at, name, ...result.reply } as const;
  if (result.outcome === "done") return { ...common, reason: "done", ...claim };
  const { code, description } = result;
  if (result.outcome === "unknown") return { ...common, reason: result.reason, errCode: code, text: description };
  const text = message("history.refused", { code: result.code, description });
  return { ...common, reason: "refused", errCode: code, text };
}

type Claim = Exclude<PaymentNotification | RefundNotification, { kind: "communication-failure" }>;

/** @param at when it came, in Unix ms */
export function notificationEntry(claimed: Claim, at: number): OrderEntry {
  const common = { kind: "notification", at, name: claimed.kind, reason: "reported", returnCode: "SUCCESS" } as const;
  if (claimed.kind === "refund") {
    const { outRefundNo, status } = claimed;
    return { ...common, text: message("history.refundReported", { outRefundNo, status }) };
  }
  const { resultCode, tradeState, total } = claimed;
  const amount = total === undefined ? message("history.noAmount") : message("history.ofAmount", { total });
  return { ...common, resultCode, tradeState, text: message("history.paymentReported", { amount }) };
}

/** An entry for an API, before its text is formatted in a language. */
export type StoredEntry = Omit<HistoryEntry, "text"> & { readonly text: Text };

export const entryView = (row: Selectable<OrderHistoryTable>): StoredEntry => ({
  id: row.id,
  at: new Date(row.at).toISOString(),
  kind: row.kind,
  name: row.name,
  ...(row.return_code !== null && { return_code: row.return_code }),
  ...(row.result_code !== null && { result_code: row.result_code }),
  ...(row.trade_state !== null && { trade_state: row.trade_state }),
  ...(row.err_code !== null && { err_code: row.err_code }),
  ...(row.http_status !== null && { http_status: row.http_status }),
  reason: row.reason,
  text: parseStoredText(row.text),
  times: row.times,
  ...presentIds(row),
  ...(row.faults !== null && { faults: parseFaultMarks(row.faults) }),
});
