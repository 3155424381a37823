/**
 * The history of an order: each call, reply, notification and decision, with the reason. It has no key and no openid.
 */
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
  readonly text: string;
  readonly returnCode?: string | undefined;
  readonly resultCode?: string | undefined;
  readonly tradeState?: string | undefined;
  readonly errCode?: string | undefined;
  readonly httpStatus?: number | undefined;
}

/** The calls, by their names in version 2. */
export type MerchantCallName =
  "unifiedorder" | "micropay" | "orderquery" | "closeorder" | "reverse" | "refund" | "refundquery";

export const callEntry = (name: MerchantCallName, reason: string, text: string): OrderEntry => ({
  kind: "call",
  name,
  reason,
  text,
});

export const decision = (name: string, reason: string, text: string, tradeState?: string): OrderEntry => ({
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
  claim: { readonly text: string; readonly tradeState?: string | undefined },
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
        text: `The provider refuses: ${result.code}, ${result.description}`,
      };
    case "unknown":
      return { ...common, reason: result.reason, errCode: result.code, text: result.description };
  }
}

type Claim = Exclude<PaymentNotification | RefundNotification, { kind: "communication-failure" }>;

export function notificationEntry(claimed: Claim): OrderEntry {
  const common = { kind: "notification", name: claimed.kind, reason: "told", returnCode: "SUCCESS" } as const;
  if (claimed.kind === "refund")
    return { ...common, text: `The provider tells that refund ${claimed.outRefundNo} is ${claimed.status}.` };
  const { resultCode, tradeState, total } = claimed;
  const amount = total === undefined ? "without an amount" : `with ${String(total)} fen`;
  return {
    ...common,
    resultCode,
    tradeState,
    text: `The provider tells of a payment ${amount}; this decides nothing.`,
  };
}

export const entryView = (row: Selectable<OrderHistoryTable>): HistoryEntry => ({
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
  text: row.text,
  times: row.times,
});
