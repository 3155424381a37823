/**
 * The saved state of payments: orders, refunds, merchants, faults, and pending notifications. Keys and certificates
 * stay, so that a client's configuration continues to work; records and codes are dropped.
 */
import { z } from "zod";
import {
  outRefundNo,
  outTradeNo,
  payVersion,
  refundStatus,
  signType,
  tradeState,
  tradeType,
} from "../../contract/provider/payment-terms.ts";
import { moveTimes } from "../../store/move-times.ts";
import type { StatePart, StateRow } from "../../store/state-part.ts";

const id = z.int().positive();
const mch_id = z.string().min(1).max(32);
/** Unix ms. Times after the year 9999 could not be read elsewhere. */
const time = z
  .int()
  .min(0)
  .max(Date.UTC(10_000, 0) - 1);
const count = z.int().min(0);
const text = z.string().max(65_536);
const notify_from = z.string().max(64).nullable();
const json = z.string().refine((value) => {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}, "is no JSON");

const orderRow = z.strictObject({
  id,
  mch_id,
  app_id: z.string().max(32),
  out_trade_no: outTradeNo,
  trade_type: tradeType,
  version: payVersion,
  sign_type: signType,
  description: text,
  total: id,
  currency: z.string().max(16),
  notify_url: text.nullable(),
  notify_from,
  openid: z.string().max(128).nullable(),
  attach: text.nullable(),
  expires_at: time,
  sandbox: z.union([z.literal(0), z.literal(1)]),
  extra: json,
  trade_state: tradeState,
  created_at: time,
  prepay_id: z.string().max(64),
  prepay_expires_at: time,
  transaction_id: z.string().max(32).nullable(),
  paid_at: time.nullable(),
  ended_at: time.nullable(),
  bank_type: z.string().max(32).nullable(),
  payer: z.string().max(128).nullable(),
  coupon_fee: count,
  refunded: count,
  refund_count: count,
  last_refund_at: time.nullable(),
  password_until: time.nullable(),
});

const refundRow = z.strictObject({
  id,
  mch_id,
  order_id: id,
  out_refund_no: outRefundNo,
  refund_id: z.string().max(32),
  total: id,
  refund: id,
  currency: z.string().max(16),
  reason: text.nullable(),
  notify_url: text.nullable(),
  notify_from,
  account: z.string().max(64).nullable(),
  version: payVersion,
  status: refundStatus,
  created_at: time,
  finished_at: time.nullable(),
  paid_to: z.string().max(64).nullable(),
  coupon_fee: count,
  redirected_at: time.nullable(),
});

const notificationRow = z.strictObject({
  id,
  about: z.enum(["payment", "refund"]),
  mch_id,
  out_trade_no: outTradeNo,
  refund_id: z.string().max(32),
  version: payVersion,
  sign_type: signType,
  url: text,
  notify_from,
  content: json,
  state: z.enum(["pending", "accepted", "given_up", "unscheduled"]),
  attempts: count,
  created_at: time,
  base_at: time,
  due_at: time.nullable(),
  taken_by: z.string().max(64).nullable(),
});

const tables = {
  pay_orders: orderRow,
  pay_refunds: refundRow,
  pay_balances: z.strictObject({ mch_id, fen: z.int() }),
  pay_merchants: z.strictObject({ mch_id, details: json }),
  sim_faults: z.strictObject({ id, input: json, hits: count, draws: count }),
  sim_fault_orders: z.strictObject({
    fault_id: id,
    mch_id,
    out_trade_no: z.string().max(32),
    refund_id: z.string().max(128),
    count,
    step: z.string().max(64),
    due_at: time.nullable(),
  }),
  pay_notifications: notificationRow,
} satisfies StatePart["tables"];

/** The columns whose times move by the age of the saved state: deadlines of pending rows, and their starts. */
function pendingTimes(table: string, row: StateRow): readonly string[] {
  switch (table) {
    case "pay_orders": {
      const isUnderWay = row["paid_at"] === null && row["ended_at"] === null;
      const times = ["expires_at", "prepay_expires_at", "password_until", "last_refund_at"];
      return isUnderWay ? ["created_at", ...times] : times;
    }
    case "pay_refunds":
      return row["status"] === "PROCESSING" ? ["created_at", "redirected_at"] : [];
    case "sim_fault_orders":
      return ["due_at"];
    case "pay_notifications":
      return ["base_at", "due_at"];
    default:
      return [];
  }
}

export const paymentsState = (hooks: Pick<StatePart, "settle" | "reload">): StatePart => ({
  name: "payments",
  tables,
  shortLived: ["pay_auth_codes", "pay_attempts", "pay_calls"],
  aged: (table, row, ms) => moveTimes(row, pendingTimes(table, row), ms),
  askedFrom: (row, from) => ("notify_from" in row ? { ...row, notify_from: from } : row),
  ...hooks,
});
