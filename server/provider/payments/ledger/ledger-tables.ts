import { sql, type Selectable } from "kysely";
import { z } from "zod";
import {
  platformOrderNo,
  paymentFailure,
  payWire,
  refundStatus,
  signType,
  tradeState,
  tradeType,
} from "../../../contract/provider/payment-terms.ts";
import type { Migrations } from "../../../store/database.ts";
import { addColumns, column, createTable, type TableOf } from "../../../store/define-table.ts";
import { causeColumn } from "../../../store/span-columns.ts";
import { createBookTables, payBalances, type BookTables } from "../book/book-tables.ts";
import { storedAsker, storedCount, storedJson, storedMchId, boundedText, storedTime } from "../stored-values.ts";

/** Times are Unix ms, money is fen. */
const firstPayOrders = {
  id: column.id,
  mch_id: column.text(storedMchId),
  app_id: column.text(z.string().max(32)),
  out_trade_no: column.text(platformOrderNo),
  trade_type: column.text(tradeType),
  version: column.text(payWire),
  sign_type: column.text(signType),
  description: column.text(boundedText),
  total: column.integer(z.int().positive()),
  currency: column.text(z.string().max(16)),
  notify_url: column.optional(column.text(boundedText)),
  openid: column.optional(column.text(z.string().max(128))),
  attach: column.optional(column.text(boundedText)),
  expires_at: column.integer(storedTime),
  sandbox: column.integer<number>(z.union([z.literal(0), z.literal(1)])),
  /** JSON. */
  extra: column.text(storedJson),
  trade_state: column.text(tradeState),
  created_at: column.integer(storedTime),
  prepay_id: column.text(z.string().max(64)),
  prepay_expires_at: column.integer(storedTime),
  transaction_id: column.optional(column.text(z.string().max(32))),
  paid_at: column.optional(column.integer(storedTime)),
  ended_at: column.optional(column.integer(storedTime)),
  bank_type: column.optional(column.text(z.string().max(32))),
  payer: column.optional(column.text(z.string().max(128))),
  coupon_fee: column.integer(storedCount),
  refunded: column.integer(storedCount),
  refund_count: column.integer(storedCount),
  last_refund_at: column.optional(column.integer(storedTime)),
  /** While USERPAYING: when the time for the password ends. */
  password_until: column.optional(column.integer(storedTime)),
  notify_from: column.optional(column.text(storedAsker)),
};
const combinedColumn = {
  /** 0 for a combined order, the id of the combined order for a part of one; null for other orders. */
  combined: column.optional(column.integer(storedCount)),
};
export const payOrders = { ...firstPayOrders, ...combinedColumn };
export type PayOrdersTable = TableOf<typeof payOrders>;
export type OrderRow = Selectable<PayOrdersTable>;

const firstPayRefunds = {
  id: column.id,
  mch_id: column.text(storedMchId),
  order_id: column.integer(z.int().positive(), (c) => c.references("pay_orders.id")),
  /** Alipay's begins with the order's number: there, only refunds of the same order have different ones. */
  out_refund_no: column.text(z.string().regex(/^[0-9A-Za-z_\-|*@]{1,129}$/)),
  refund_id: column.text(z.string().max(32), (c) => c.unique()),
  total: column.integer(z.int().positive()),
  refund: column.integer(z.int().positive()),
  currency: column.text(z.string().max(16)),
  reason: column.optional(column.text(boundedText)),
  notify_url: column.optional(column.text(boundedText)),
  account: column.optional(column.text(z.string().max(64))),
  version: column.text(payWire),
  status: column.text(refundStatus),
  created_at: column.integer(storedTime),
  finished_at: column.optional(column.integer(storedTime)),
  notify_from: column.optional(column.text(storedAsker)),
  /** The account that it goes to since it was applied for again; null: where the payment came from. */
  paid_to: column.optional(column.text(z.string().max(64))),
  coupon_fee: column.integer(storedCount, (c) => c.defaultTo(0)),
  /** When it was last applied for again. */
  redirected_at: column.optional(column.integer(storedTime)),
};
export const payRefunds = { ...firstPayRefunds, ...causeColumn };
export type RefundRow = Selectable<TableOf<typeof payRefunds>>;

/** The buyers' attempts that have failed. */
export const payFailures = {
  id: column.id,
  order_id: column.integer(z.int().positive(), (c) => c.references("pay_orders.id")),
  at: column.integer(storedTime),
  reason: column.text(paymentFailure),
};

/** Orders that a receiver check has placed, and removes at its end. */
export const payCheckOrders = {
  order_id: column.integer(z.int().positive(), (c) => c.primaryKey().references("pay_orders.id").onDelete("cascade")),
};

/** Orders that receiver checks are having placed: the next of the merchant behind `after_id`. */
export const payCheckPlacings = {
  id: column.id,
  mch_id: column.text(storedMchId),
  after_id: column.integer(storedCount),
};

export interface LedgerTables extends BookTables {
  pay_orders: PayOrdersTable;
  pay_refunds: TableOf<typeof payRefunds>;
  pay_failures: TableOf<typeof payFailures>;
  pay_check_orders: TableOf<typeof payCheckOrders>;
  pay_check_placings: TableOf<typeof payCheckPlacings>;
}

export const ledgerMigrations: Migrations = {
  "002_ledger": {
    async up(db) {
      await createTable(db, "pay_orders", firstPayOrders)
        .addUniqueConstraint("pay_orders_number", ["mch_id", "out_trade_no"])
        .execute();
      // Rows without the value are not indexed, which saves writes for every order.
      await db.schema
        .createIndex("pay_orders_transaction")
        .unique()
        .on("pay_orders")
        .column("transaction_id")
        .where("transaction_id", "is not", null)
        .execute();
      await db.schema
        .createIndex("pay_orders_prepay")
        .on("pay_orders")
        .column("prepay_id")
        .where("prepay_id", "!=", "")
        .execute();
      await db.schema
        .createIndex("pay_orders_by_code")
        .on("pay_orders")
        .columns(["payer", "paid_at"])
        .where(sql.ref("trade_type"), "=", "MICROPAY")
        .execute();
      await createTable(db, "pay_refunds", firstPayRefunds)
        .addUniqueConstraint("pay_refunds_number", ["mch_id", "out_refund_no"])
        .execute();
      await db.schema.createIndex("pay_refunds_order").on("pay_refunds").column("order_id").execute();
      await createTable(db, "pay_balances", payBalances).execute();
    },
  },
  "010_payment_failures": {
    async up(db) {
      await createTable(db, "pay_failures", payFailures).execute();
      await db.schema.createIndex("pay_failures_order").on("pay_failures").column("order_id").execute();
    },
  },
  "013_refund_causes": {
    async up(db) {
      await addColumns(db, "pay_refunds", causeColumn);
    },
  },
  "015_check_orders": {
    async up(db) {
      await createTable(db, "pay_check_orders", payCheckOrders).execute();
    },
  },
  "016_check_placings": {
    async up(db) {
      await createTable(db, "pay_check_placings", payCheckPlacings).execute();
    },
  },
  "019_combined_orders": {
    async up(db) {
      await addColumns(db, "pay_orders", combinedColumn);
      await db.schema
        .createIndex("pay_orders_combined")
        .on("pay_orders")
        .column("combined")
        .where("combined", "is not", null)
        .execute();
    },
  },
  "020_book": {
    up: createBookTables,
  },
};
