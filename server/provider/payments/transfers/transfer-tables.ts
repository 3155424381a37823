import type { Selectable } from "kysely";
import { z } from "zod";
import { outBillNo, transferFailure, transferState } from "../../../contract/provider/transfers/transfer-terms.ts";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";
import { boundedText, storedAsker, storedMchId, storedTime } from "../stored-values.ts";

/** Transfers of merchants to users. Times are Unix ms, money is fen. */
export const payTransfers = {
  id: column.id,
  mch_id: column.text(storedMchId),
  app_id: column.text(z.string().max(32)),
  out_bill_no: column.text(outBillNo),
  transfer_bill_no: column.text(z.string().max(64), (c) => c.unique()),
  openid: column.text(z.string().max(64)),
  /** In plain text; empty if none was named. */
  user_name: column.text(boundedText),
  amount: column.integer(z.int().positive()),
  remark: column.text(boundedText),
  /** JSON of the other fields, compared on a repeat. */
  details: column.text(boundedText),
  notify_url: column.optional(column.text(boundedText)),
  notify_from: column.optional(column.text(storedAsker)),
  state: column.text(transferState),
  fail_reason: column.optional(column.text(transferFailure)),
  /** Text that the merchant's page passes to the platform's client, so that the user confirms. */
  package_info: column.text(z.string().max(128)),
  created_at: column.integer(storedTime),
  updated_at: column.integer(storedTime),
  /** When its state ends by itself; null for the last one. */
  due_at: column.optional(column.integer(storedTime)),
  /** When its receipt was asked for. */
  receipt_at: column.optional(column.integer(storedTime)),
};
export type TransferRow = Selectable<TableOf<typeof payTransfers>>;

export interface TransferTables {
  pay_transfers: TableOf<typeof payTransfers>;
}

export const transferMigrations: Migrations = {
  "017_transfers": {
    async up(db) {
      await createTable(db, "pay_transfers", payTransfers)
        .addUniqueConstraint("pay_transfers_number", ["mch_id", "out_bill_no"])
        .execute();
      await db.schema
        .createIndex("pay_transfers_due")
        .on("pay_transfers")
        .column("due_at")
        .where("due_at", "is not", null)
        .execute();
    },
  },
};
