import { sql, type Generated, type Selectable } from "kysely";
import type {
  PayVersion,
  RefundStatus,
  SignType,
  TradeState,
  TradeType,
} from "../../../contract/provider/payment-terms.ts";
import type { Migrations } from "../../../store/database.ts";

/** Times are Unix ms, money is fen. */
export interface PayOrdersTable {
  id: Generated<number>;
  mch_id: string;
  app_id: string;
  out_trade_no: string;
  trade_type: TradeType;
  version: PayVersion;
  sign_type: SignType;
  description: string;
  total: number;
  currency: string;
  notify_url: string | null;
  /** The address of the other machine that named it; empty: unknown, null: this machine. */
  notify_from: string | null;
  openid: string | null;
  attach: string | null;
  expires_at: number;
  sandbox: number;
  /** JSON. */
  extra: string;
  trade_state: TradeState;
  created_at: number;
  prepay_id: string;
  prepay_expires_at: number;
  transaction_id: string | null;
  paid_at: number | null;
  ended_at: number | null;
  bank_type: string | null;
  payer: string | null;
  coupon_fee: number;
  refunded: number;
  refund_count: number;
  last_refund_at: number | null;
  /** While USERPAYING: when the time for the password ends. */
  password_until: number | null;
}
export type OrderRow = Selectable<PayOrdersTable>;

export interface PayRefundsTable {
  id: Generated<number>;
  mch_id: string;
  order_id: number;
  out_refund_no: string;
  refund_id: string;
  total: number;
  refund: number;
  currency: string;
  reason: string | null;
  notify_url: string | null;
  notify_from: string | null;
  account: string | null;
  version: PayVersion;
  status: RefundStatus;
  coupon_fee: number;
  created_at: number;
  finished_at: number | null;
  /** The account that it goes to since it was applied for again; null: where the payment came from. */
  paid_to: string | null;
  /** When it was last applied for again. */
  redirected_at: number | null;
}
export type RefundRow = Selectable<PayRefundsTable>;

export interface PayBalancesTable {
  mch_id: string;
  fen: number;
}

export interface LedgerTables {
  pay_orders: PayOrdersTable;
  pay_refunds: PayRefundsTable;
  pay_balances: PayBalancesTable;
}

export const ledgerMigrations: Migrations = {
  "002_ledger": {
    async up(db) {
      await db.schema
        .createTable("pay_orders")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("mch_id", "text", (c) => c.notNull())
        .addColumn("app_id", "text", (c) => c.notNull())
        .addColumn("out_trade_no", "text", (c) => c.notNull())
        .addColumn("trade_type", "text", (c) => c.notNull())
        .addColumn("version", "text", (c) => c.notNull())
        .addColumn("sign_type", "text", (c) => c.notNull())
        .addColumn("description", "text", (c) => c.notNull())
        .addColumn("total", "integer", (c) => c.notNull())
        .addColumn("currency", "text", (c) => c.notNull())
        .addColumn("notify_url", "text")
        .addColumn("openid", "text")
        .addColumn("attach", "text")
        .addColumn("expires_at", "integer", (c) => c.notNull())
        .addColumn("sandbox", "integer", (c) => c.notNull())
        .addColumn("extra", "text", (c) => c.notNull())
        .addColumn("trade_state", "text", (c) => c.notNull())
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("prepay_id", "text", (c) => c.notNull())
        .addColumn("prepay_expires_at", "integer", (c) => c.notNull())
        .addColumn("transaction_id", "text")
        .addColumn("paid_at", "integer")
        .addColumn("ended_at", "integer")
        .addColumn("bank_type", "text")
        .addColumn("payer", "text")
        .addColumn("coupon_fee", "integer", (c) => c.notNull())
        .addColumn("refunded", "integer", (c) => c.notNull())
        .addColumn("refund_count", "integer", (c) => c.notNull())
        .addColumn("last_refund_at", "integer")
        .addColumn("password_until", "integer")
        .addColumn("notify_from", "text")
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
      await db.schema
        .createTable("pay_refunds")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("mch_id", "text", (c) => c.notNull())
        .addColumn("order_id", "integer", (c) => c.notNull().references("pay_orders.id"))
        .addColumn("out_refund_no", "text", (c) => c.notNull())
        .addColumn("refund_id", "text", (c) => c.notNull().unique())
        .addColumn("total", "integer", (c) => c.notNull())
        .addColumn("refund", "integer", (c) => c.notNull())
        .addColumn("currency", "text", (c) => c.notNull())
        .addColumn("reason", "text")
        .addColumn("notify_url", "text")
        .addColumn("account", "text")
        .addColumn("version", "text", (c) => c.notNull())
        .addColumn("status", "text", (c) => c.notNull())
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("finished_at", "integer")
        .addColumn("notify_from", "text")
        .addColumn("paid_to", "text")
        .addColumn("coupon_fee", "integer", (c) => c.notNull().defaultTo(0))
        .addColumn("redirected_at", "integer")
        .addUniqueConstraint("pay_refunds_number", ["mch_id", "out_refund_no"])
        .execute();
      await db.schema.createIndex("pay_refunds_order").on("pay_refunds").column("order_id").execute();
      await db.schema
        .createTable("pay_balances")
        .addColumn("mch_id", "text", (c) => c.primaryKey())
        .addColumn("fen", "integer", (c) => c.notNull())
        .execute();
    },
  },
};
