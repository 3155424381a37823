import { payCall, payVersion } from "../../../contract/provider/payment-terms.ts";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";

export const payCalls = {
  id: column.id,
  mch_id: column.text(),
  /** Empty if the call concerns no order, or none was found. */
  out_trade_no: column.text(),
  name: column.text(payCall),
  version: column.text(payVersion),
  method: column.text(),
  target: column.text(),
  body: column.text(),
  status: column.integer(),
  reply: column.text(),
  outcome: column.text(),
  performed: column.integer(),
  /** JSON list of ids. */
  faults: column.text(),
  /** Unix ms. */
  at: column.integer(),
  duration_ms: column.real(),
};

export interface CallTables {
  pay_calls: TableOf<typeof payCalls>;
}

export const callMigrations: Migrations = {
  "005_calls": {
    async up(db) {
      await createTable(db, "pay_calls", payCalls).execute();
      await db.schema
        .createIndex("pay_calls_of_order")
        .on("pay_calls")
        .columns(["out_trade_no", "mch_id", "id"])
        .execute();
    },
  },
};
