import type { Selectable } from "kysely";
import { z } from "zod";
import {
  outShareNo,
  shareFailure,
  shareReceiverType,
  shareRelation,
  shareResult,
  shareState,
} from "../../../contract/provider/profit-sharing/share-terms.ts";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";
import { boundedText, storedAsker, storedCount, storedMchId, storedTime } from "../stored-values.ts";

const account = z.string().max(64);
const number = z.string().max(32);
const fen = z.int().positive();

/** The accounts to which a merchant may share. */
export const payShareReceivers = {
  id: column.id,
  mch_id: column.text(storedMchId),
  type: column.text(shareReceiverType),
  account: column.text(account),
  /** In plain text; empty if none was named. */
  name: column.text(boundedText),
  relation_type: column.text(shareRelation),
  custom_relation: column.optional(column.text(boundedText)),
};
export type ShareReceiverRow = Selectable<TableOf<typeof payShareReceivers>>;

/** Requests to share, and to unfreeze. Times are Unix ms, money is fen. */
export const payShares = {
  id: column.id,
  mch_id: column.text(storedMchId),
  transaction_id: column.text(number),
  out_order_no: column.text(outShareNo),
  order_id: column.text(number, (c) => c.unique()),
  /** JSON of the request, which distinguishes a repeat from another one. */
  request: column.text(boundedText),
  state: column.text(shareState),
  created_at: column.integer(storedTime),
  /** When it ends; null after it. */
  due_at: column.optional(column.integer(storedTime)),
};
export type ShareRow = Selectable<TableOf<typeof payShares>>;

/** The receivers of each request. */
export const payShareDetails = {
  id: column.id,
  share_id: column.integer(z.int().positive(), (c) => c.references("pay_shares.id")),
  detail_id: column.text(number),
  type: column.text(shareReceiverType),
  account: column.text(account),
  amount: column.integer(fen),
  description: column.text(boundedText),
  result: column.text(shareResult),
  fail_reason: column.optional(column.text(shareFailure)),
  created_at: column.integer(storedTime),
  finished_at: column.optional(column.integer(storedTime)),
  /** Fen that came back. */
  returned: column.integer(storedCount),
};
export type ShareDetailRow = Selectable<TableOf<typeof payShareDetails>>;

export interface Share {
  readonly share: ShareRow;
  readonly details: readonly ShareDetailRow[];
}

export const payShareReturns = {
  id: column.id,
  mch_id: column.text(storedMchId),
  share_id: column.integer(z.int().positive(), (c) => c.references("pay_shares.id")),
  out_return_no: column.text(outShareNo),
  return_id: column.text(number),
  return_mchid: column.text(storedMchId),
  amount: column.integer(fen),
  description: column.text(boundedText),
  created_at: column.integer(storedTime),
};
export type ShareReturnRow = Selectable<TableOf<typeof payShareReturns>>;

/** A merchant's settings on the platform's pages. */
export const payShareSettings = {
  mch_id: column.key(storedMchId),
  /** The largest part of an order that others get, in ten thousandths. */
  max_ratio: column.integer(z.int().min(0).max(10_000)),
  /** Where it is notified of the parts that it gets and returns. */
  notify_url: column.optional(column.text(boundedText)),
  notify_from: column.optional(column.text(storedAsker)),
};

export type ShareSettingsRow = Selectable<TableOf<typeof payShareSettings>>;

/** Paid orders whose money waits to be shared. Times are Unix ms. */
export const payShareOrders = {
  order_id: column.integer(z.int().positive(), (c) => c.primaryKey().references("pay_orders.id").onDelete("cascade")),
  paid_at: column.integer(storedTime),
  /** When the time to share ends; null after it. */
  due_at: column.optional(column.integer(storedTime)),
};

export interface ShareTables {
  pay_share_orders: TableOf<typeof payShareOrders>;
  pay_share_receivers: TableOf<typeof payShareReceivers>;
  pay_shares: TableOf<typeof payShares>;
  pay_share_details: TableOf<typeof payShareDetails>;
  pay_share_returns: TableOf<typeof payShareReturns>;
  pay_share_settings: TableOf<typeof payShareSettings>;
}

export const shareMigrations: Migrations = {
  "016_profit_sharing": {
    async up(db) {
      await createTable(db, "pay_share_receivers", payShareReceivers)
        .addUniqueConstraint("pay_share_receivers_account", ["mch_id", "type", "account"])
        .execute();
      await createTable(db, "pay_shares", payShares)
        .addUniqueConstraint("pay_shares_number", ["mch_id", "out_order_no"])
        .execute();
      await db.schema.createIndex("pay_shares_transaction").on("pay_shares").column("transaction_id").execute();
      await db.schema
        .createIndex("pay_shares_due")
        .on("pay_shares")
        .column("due_at")
        .where("due_at", "is not", null)
        .execute();
      await createTable(db, "pay_share_details", payShareDetails).execute();
      await db.schema.createIndex("pay_share_details_share").on("pay_share_details").column("share_id").execute();
      await createTable(db, "pay_share_returns", payShareReturns)
        .addUniqueConstraint("pay_share_returns_number", ["mch_id", "out_return_no"])
        .execute();
      await createTable(db, "pay_share_settings", payShareSettings).execute();
    },
  },
  "021_share_orders": {
    async up(db) {
      await createTable(db, "pay_share_orders", payShareOrders).execute();
      await db.schema
        .createIndex("pay_share_orders_due")
        .on("pay_share_orders")
        .column("due_at")
        .where("due_at", "is not", null)
        .execute();
    },
  },
};
