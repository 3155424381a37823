/**
 * The history of an order: each call, reply, notification and decision, with the reason. It has no key and no openid.
 */
import { textOf } from "./stored-text.ts";
import { message, type Text } from "../../../contract/messages/message.ts";
import type { Selectable } from "kysely";
import type { HistoryEntry } from "../../../contract/app/payments.ts";
import type { OrderHistoryTable } from "./orders-tables.ts";
import type { CallResult, PaymentNotification, RefundNotification } from "../provider/provider-client.ts";

export interface OrderEntry {
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

export const callEntry = (name: MerchantCallName, reason: string, text: Text): OrderEntry => ({
  kind: "call",
  name,
  reason,
  text,
});

export const decision = (name: string, reason: string, text: Text, tradeState?: string): OrderEntry => ({
  kind: "decision",
  name,
  reason,
  text,
  tradeState,
});

/** @param claim what a successful reply states about the order or the refund */
export function replyEntry(
  name: MerchantCallName,
  result: CallResult<unknown>,
  claim: { readonly text: Text; readonly tradeState?: string | undefined },
): OrderEntry {
  const { returnCode, resultCode, httpStatus } = result.reply;
  const common = { kind: "reply", name, returnCode, resultCode, httpStatus } as const;
  switch (result.outcome) {
    case "done":
      return { ...common, reason: "done", ...claim };
    case "refused":
      return {
        ...common,
        reason: "refused",
        errCode: result.code,
        text: message("history.refused", { code: result.code, description: result.description }),
      };
    case "unknown":
      return { ...common, reason: result.reason, errCode: result.code, text: result.description };
  }
}

type Claim = Exclude<PaymentNotification | RefundNotification, { kind: "communication-failure" }>;

export function notificationEntry(claimed: Claim): OrderEntry {
  const common = { kind: "notification", name: claimed.kind, reason: "told", returnCode: "SUCCESS" } as const;
  if (claimed.kind === "refund")
    return {
      ...common,
      text: message("history.refundTold", { outRefundNo: claimed.outRefundNo, status: claimed.status }),
    };
  const { resultCode, tradeState, total } = claimed;
  const amount = total === undefined ? message("history.noAmount") : message("history.ofAmount", { total });
  return {
    ...common,
    resultCode,
    tradeState,
    text: message("history.paymentTold", { amount }),
  };
}

/** An entry for an API, before its text is said in a language. */
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
  text: textOf(row.text),
  times: row.times,
});
