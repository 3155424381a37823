import type { Generated } from "kysely";
import type { RefundStatus, TradeState, BuyerTradeType } from "../../../contract/provider/payment-terms.ts";
import type { Migrations } from "../../../store/database.ts";
import { addColumns } from "../../../store/define-table.ts";
import { spanColumns } from "../../../store/span-columns.ts";
import { moveTimes } from "../../../store/move-times.ts";
import type { StateRow } from "../../../store/state-part.ts";
import { openStates } from "./trade-states.ts";

/** The result of placing the order at the provider. */
export type Placement = "pending" | "placed" | "refused" | "unknown";

export interface OrdersTable {
  id: Generated<number>;
  user_id: number;
  out_trade_no: string;
  trade_type: BuyerTradeType;
  description: string;
  /** Fen. */
  amount: number;
  /** IP address of the client, which a repeated call must send again. */
  client_ip: string;
  /** The client's Idempotency-Key, and the SHA-256 of the request under it. */
  idempotency_key: string | null;
  request_hash: string;
  placement: Placement;
  /** JSON: the provider's data for paying it. */
  placed: string | null;
  /** The provider's error code, when it refused the order. */
  err_code: string | null;
  err_text: string | null;
  trade_state: TradeState;
  amount_mismatch: 0 | 1;
  /** Its owner or a person wants it taken back, paid or not, and the provider has neither done nor refused that. */
  reversing: 0 | 1;
  transaction_id: string | null;
  paid_at: number | null;
  /** Set once, with trade_state SUCCESS, when the order is settled. */
  settled_at: number | null;
  expires_at: number;
  /** The time of the next inquiry; null when nothing is awaited. */
  next_query_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface OrderRefundsTable {
  id: Generated<number>;
  order_id: number;
  out_refund_no: string;
  /** Fen. */
  amount: number;
  reason: string | null;
  idempotency_key: string | null;
  request_hash: string;
  /** The provider has accepted it, which is not yet a success. */
  accepted: 0 | 1;
  refund_id: string | null;
  status: RefundStatus;
  err_code: string | null;
  err_text: string | null;
  next_query_at: number | null;
  created_at: number;
  finished_at: number | null;
}

/** The three words of a reply in columns of their own: for the communication, the call and the order. */
export interface OrderHistoryTable {
  id: Generated<number>;
  order_id: number;
  at: number;
  kind: "call" | "reply" | "notification" | "decision";
  name: string;
  return_code: string | null;
  result_code: string | null;
  trade_state: string | null;
  err_code: string | null;
  http_status: number | null;
  reason: string;
  text: string;
  times: Generated<number>;
  trace_id: string | null;
  span_id: string | null;
  parent_id: string | null;
  /** See faultMarksText. */
  faults: string | null;
}

export interface PaymentsTables {
  orders: OrdersTable;
  order_refunds: OrderRefundsTable;
  order_history: OrderHistoryTable;
}

export const paymentsMigrations: Migrations = {
  "007_payments": {
    async up(db) {
      await db.schema
        .createTable("orders")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("user_id", "integer", (c) => c.notNull())
        .addColumn("out_trade_no", "text", (c) => c.notNull().unique())
        .addColumn("trade_type", "text", (c) => c.notNull())
        .addColumn("description", "text", (c) => c.notNull())
        .addColumn("amount", "integer", (c) => c.notNull())
        .addColumn("client_ip", "text", (c) => c.notNull())
        .addColumn("idempotency_key", "text")
        .addColumn("request_hash", "text", (c) => c.notNull())
        .addColumn("placement", "text", (c) => c.notNull())
        .addColumn("placed", "text")
        .addColumn("err_code", "text")
        .addColumn("err_text", "text")
        .addColumn("trade_state", "text", (c) => c.notNull())
        .addColumn("amount_mismatch", "integer", (c) => c.notNull())
        .addColumn("reversing", "integer", (c) => c.notNull())
        .addColumn("transaction_id", "text", (c) => c.unique())
        .addColumn("paid_at", "integer")
        .addColumn("settled_at", "integer")
        .addColumn("expires_at", "integer", (c) => c.notNull())
        .addColumn("next_query_at", "integer")
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("updated_at", "integer", (c) => c.notNull())
        .addUniqueConstraint("orders_key", ["user_id", "idempotency_key"])
        .execute();
      await db.schema
        .createIndex("orders_due")
        .on("orders")
        .column("next_query_at")
        .where("next_query_at", "is not", null)
        .execute();
      // A covering index: counts and sums by state are read without the table.
      await db.schema.createIndex("orders_by_state").on("orders").columns(["trade_state", "amount"]).execute();
      await db.schema
        .createTable("order_refunds")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("order_id", "integer", (c) => c.notNull().references("orders.id").onDelete("cascade"))
        .addColumn("out_refund_no", "text", (c) => c.notNull().unique())
        .addColumn("amount", "integer", (c) => c.notNull())
        .addColumn("reason", "text")
        .addColumn("idempotency_key", "text")
        .addColumn("request_hash", "text", (c) => c.notNull())
        .addColumn("accepted", "integer", (c) => c.notNull())
        .addColumn("refund_id", "text")
        .addColumn("status", "text", (c) => c.notNull())
        .addColumn("err_code", "text")
        .addColumn("err_text", "text")
        .addColumn("next_query_at", "integer")
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("finished_at", "integer")
        .addUniqueConstraint("order_refunds_key", ["order_id", "idempotency_key"])
        .execute();
      await db.schema
        .createIndex("order_refunds_due")
        .on("order_refunds")
        .column("next_query_at")
        .where("next_query_at", "is not", null)
        .execute();
      await db.schema
        .createTable("order_history")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("order_id", "integer", (c) => c.notNull().references("orders.id").onDelete("cascade"))
        .addColumn("at", "integer", (c) => c.notNull())
        .addColumn("kind", "text", (c) => c.notNull())
        .addColumn("name", "text", (c) => c.notNull())
        .addColumn("return_code", "text")
        .addColumn("result_code", "text")
        .addColumn("trade_state", "text")
        .addColumn("err_code", "text")
        .addColumn("http_status", "integer")
        .addColumn("reason", "text", (c) => c.notNull())
        .addColumn("text", "text", (c) => c.notNull())
        .addColumn("times", "integer", (c) => c.notNull().defaultTo(1))
        .execute();
      await db.schema.createIndex("order_history_of").on("order_history").columns(["order_id", "id"]).execute();
    },
  },
  "011_history_spans": {
    up: (db) => addColumns(db, "order_history", spanColumns),
  },
  "014_history_faults": {
    up: (db) => db.schema.alterTable("order_history").addColumn("faults", "text").execute(),
  },
};

const pendingTimes = ["expires_at", "next_query_at"];
/** Since when an open order, or a refund under way, has been waited for. What has happened to it keeps its times. */
const beginnings = ["created_at", "updated_at"];

/** Shifts pending times by the time since the row, of an order or a refund, was saved. */
export function agedOrder(row: StateRow, ms: number): StateRow {
  const isUnderWay = row["status"] === "PROCESSING" || openStates.some((state) => state === row["trade_state"]);
  return moveTimes(row, isUnderWay ? [...pendingTimes, ...beginnings] : pendingTimes, ms);
}
