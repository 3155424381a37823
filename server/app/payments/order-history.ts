/** What is written down of an order: each call, reply, notification and decision, with the reason. No key, no openid. */
import type { Kysely, Selectable } from "kysely";
import type { HistoryEntry } from "../../contract/payments.ts";
import type { OrderHistoryTable, PaymentsTables } from "./orders-tables.ts";
import type { CallResult, PaymentNotification, RefundNotification } from "./provider-client.ts";

export interface Entry {
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

/** The calls, by the names that version 2 gives them. */
export type CallName = "unifiedorder" | "micropay" | "orderquery" | "closeorder" | "reverse" | "refund" | "refundquery";

export const callEntry = (name: CallName, reason: string, text: string): Entry => ({
  kind: "call",
  name,
  reason,
  text,
});

export const decision = (name: string, reason: string, text: string, tradeState?: string): Entry => ({
  kind: "decision",
  name,
  reason,
  text,
  tradeState,
});

/** @param told what a reply that is done says of the order or the refund */
export function replyEntry(
  name: CallName,
  result: CallResult<unknown>,
  told: { readonly text: string; readonly tradeState?: string | undefined },
): Entry {
  const { returnCode, resultCode, httpStatus } = result.reply;
  const common = { kind: "reply", name, returnCode, resultCode, httpStatus } as const;
  switch (result.outcome) {
    case "done":
      return { ...common, reason: "done", ...told };
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

type Told = Exclude<PaymentNotification | RefundNotification, { kind: "communication-failure" }>;

export function notificationEntry(told: Told): Entry {
  const common = { kind: "notification", name: told.kind, reason: "told", returnCode: "SUCCESS" } as const;
  if (told.kind === "refund")
    return { ...common, text: `The provider tells that refund ${told.outRefundNo} is ${told.status}.` };
  const { resultCode, tradeState, total } = told;
  const amount = total === undefined ? "without an amount" : `with ${String(total)} fen`;
  return {
    ...common,
    resultCode,
    tradeState,
    text: `The provider tells of a payment ${amount}; this decides nothing.`,
  };
}

const rowOf = (orderId: number, at: number, entry: Entry) => ({
  order_id: orderId,
  at,
  kind: entry.kind,
  name: entry.name,
  return_code: entry.returnCode ?? null,
  result_code: entry.resultCode ?? null,
  trade_state: entry.tradeState ?? null,
  err_code: entry.errCode ?? null,
  http_status: entry.httpStatus ?? null,
  reason: entry.reason,
  text: entry.text,
});

/** Within the transaction of the change that they tell of. */
export async function insertHistory(
  trx: Kysely<PaymentsTables>,
  orderId: number,
  at: number,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return;
  await trx
    .insertInto("order_history")
    .values(entries.map((entry) => rowOf(orderId, at, entry)))
    .execute();
}

const isSame = (row: Pick<OrderHistoryTable, "kind" | "name" | "reason" | "text">, entry: Entry | undefined) =>
  row.kind === entry?.kind && row.name === entry.name && row.reason === entry.reason && row.text === entry.text;

/**
 * Writes down what has changed nothing. Where the latest lines are the same, the last of them counts one more: a client that
 * asks every second, or a notification that comes ten times, must not fill the history.
 */
export async function insertRepeating(
  db: Kysely<PaymentsTables>,
  orderId: number,
  at: number,
  entries: readonly Entry[],
): Promise<void> {
  const latest = await db
    .selectFrom("order_history")
    .select(["id", "kind", "name", "reason", "text"])
    .where("order_id", "=", orderId)
    .orderBy("id", "desc")
    .limit(entries.length)
    .execute();
  const [last] = latest;
  if (!last || latest.length < entries.length || !latest.toReversed().every((row, i) => isSame(row, entries[i]))) {
    await insertHistory(db, orderId, at, entries);
    return;
  }
  await db
    .updateTable("order_history")
    .set((e) => ({ times: e("times", "+", 1), at }))
    .where("id", "=", last.id)
    .execute();
}

export const shownEntry = (row: Selectable<OrderHistoryTable>): HistoryEntry => ({
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
