/** Converts orders between code and database rows. */
import { parseStoredText } from "./stored-text.ts";
import type { Selectable } from "kysely";
import type { OrdersTable } from "./orders-tables.ts";
import type { PlacedOrder } from "../provider/provider-client.ts";

export type OrderToStore = Pick<
  Order,
  "userId" | "outTradeNo" | "tradeType" | "description" | "amount" | "clientIp" | "requestHash" | "expiresAt"
> & { readonly idempotencyKey: string | undefined; readonly nextQueryAt: number };

export function toOrder(row: Selectable<OrdersTable>) {
  return {
    id: row.id,
    userId: row.user_id,
    outTradeNo: row.out_trade_no,
    tradeType: row.trade_type,
    description: row.description,
    amount: row.amount,
    clientIp: row.client_ip,
    requestHash: row.request_hash,
    placement: row.placement,
    placed: row.placed === null ? undefined : (JSON.parse(row.placed) as PlacedOrder),
    refusal:
      row.err_code === null
        ? undefined
        : { code: row.err_code, description: row.err_text === null ? "" : parseStoredText(row.err_text) },
    tradeState: row.trade_state,
    amountMismatch: row.amount_mismatch === 1,
    reversing: row.reversing === 1,
    transactionId: row.transaction_id ?? undefined,
    paidAt: row.paid_at ?? undefined,
    settledAt: row.settled_at ?? undefined,
    expiresAt: row.expires_at,
    nextQueryAt: row.next_query_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
export type Order = Readonly<ReturnType<typeof toOrder>>;

export const newRow = (order: OrderToStore, at: number) =>
  ({
    user_id: order.userId,
    out_trade_no: order.outTradeNo,
    trade_type: order.tradeType,
    description: order.description,
    amount: order.amount,
    client_ip: order.clientIp,
    idempotency_key: order.idempotencyKey ?? null,
    request_hash: order.requestHash,
    placement: "pending",
    trade_state: "NOTPAY",
    amount_mismatch: 0,
    reversing: 0,
    expires_at: order.expiresAt,
    next_query_at: order.nextQueryAt,
    created_at: at,
    updated_at: at,
  }) as const;

/** Members that a new order does not have. */
export const unsetMembers = {
  placed: null,
  err_code: null,
  err_text: null,
  transaction_id: null,
  paid_at: null,
  settled_at: null,
};
