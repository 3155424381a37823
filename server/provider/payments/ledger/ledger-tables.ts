import { sql, type Selectable } from "kysely";
import type {
  PayVersion,
  RefundStatus,
  SignType,
  TradeState,
  TradeType,
} from "../../../contract/provider/payment-terms.ts";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";

/** Times are Unix ms, money is fen. */
const orderColumns = {
  id: column.id,
  mch_id: column.text(),
  app_id: column.text(),
  out_trade_no: column.text(),
  trade_type: column.text<TradeType>(),
  version: column.text<PayVersion>(),
  sign_type: column.text<SignType>(),
  description: column.text(),
  total: column.integer(),
  currency: column.text(),
  notify_url: column.optionalText(),
  openid: column.optionalText(),
  attach: column.optionalText(),
  expires_at: column.integer(),
  sandbox: column.integer(),
  /** JSON. */
  extra: column.text(),
  trade_state: column.text<TradeState>(),
  created_at: column.integer(),
  prepay_id: column.text(),
  prepay_expires_at: column.integer(),
  transaction_id: column.optionalText(),
  paid_at: column.optionalInteger(),
  ended_at: column.optionalInteger(),
  bank_type: column.optionalText(),
  payer: column.optionalText(),
  coupon_fee: column.integer(),
  refunded: column.integer(),
  refund_count: column.integer(),
  last_refund_at: column.optionalInteger(),
  /** While USERPAYING: when the time for the password ends. */
  password_until: column.optionalInteger(),
  /** The address of the other machine that named it; empty: unknown, null: this machine. */
  notify_from: column.optionalText(),
};
export type PayOrdersTable = TableOf<typeof orderColumns>;
export type OrderRow = Selectable<PayOrdersTable>;

const refundColumns = {
  id: column.id,
  mch_id: column.text(),
  order_id: column.integer((c) => c.references("pay_orders.id")),
  out_refund_no: column.text(),
  refund_id: column.text((c) => c.unique()),
  total: column.integer(),
  refund: column.integer(),
  currency: column.text(),
  reason: column.optionalText(),
  notify_url: column.optionalText(),
  account: column.optionalText(),
  version: column.text<PayVersion>(),
  status: column.text<RefundStatus>(),
  created_at: column.integer(),
  finished_at: column.optionalInteger(),
  notify_from: column.optionalText(),
  /** The account that it goes to since it was applied for again; null: where the payment came from. */
  paid_to: column.optionalText(),
  coupon_fee: column.integer((c) => c.defaultTo(0)),
  /** When it was last applied for again. */
  redirected_at: column.optionalInteger(),
};
export type RefundRow = Selectable<TableOf<typeof refundColumns>>;

const balanceColumns = {
  mch_id: column.key,
  fen: column.integer(),
};

export interface LedgerTables {
  pay_orders: PayOrdersTable;
  pay_refunds: TableOf<typeof refundColumns>;
  pay_balances: TableOf<typeof balanceColumns>;
}

export const ledgerMigrations: Migrations = {
  "002_ledger": {
    async up(db) {
      await createTable(db, "pay_orders", orderColumns)
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
      await createTable(db, "pay_refunds", refundColumns)
        .addUniqueConstraint("pay_refunds_number", ["mch_id", "out_refund_no"])
        .execute();
      await db.schema.createIndex("pay_refunds_order").on("pay_refunds").column("order_id").execute();
      await createTable(db, "pay_balances", balanceColumns).execute();
    },
  },
};
