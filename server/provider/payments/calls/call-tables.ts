import { payCall, payWire } from "../../../contract/provider/payment-terms.ts";
import type { Migrations } from "../../../store/database.ts";
import { addColumns, column, createTable, type TableOf } from "../../../store/define-table.ts";
import { spanColumns } from "../../../store/span-columns.ts";

const firstPayCalls = {
  id: column.id,
  mch_id: column.text(),
  /** Empty if the call concerns no order, or none was found. */
  out_trade_no: column.text(),
  name: column.text(payCall),
  version: column.text(payWire),
  method: column.text(),
  target: column.text(),
  body: column.text(),
  status: column.integer(),
  reply: column.text(),
  outcome: column.text(),
  performed: column.integer(),
  /** JSON list of ids and kinds. */
  faults: column.text(),
  /** Unix ms. */
  at: column.integer(),
  duration_ms: column.real(),
};
export const payCalls = { ...firstPayCalls, ...spanColumns };

export interface CallTables {
  pay_calls: TableOf<typeof payCalls>;
}

export const callMigrations: Migrations = {
  "005_calls": {
    async up(db) {
      await createTable(db, "pay_calls", firstPayCalls).execute();
      await db.schema
        .createIndex("pay_calls_of_order")
        .on("pay_calls")
        .columns(["out_trade_no", "mch_id", "id"])
        .execute();
    },
  },
  "011_call_spans": {
    async up(db) {
      await addColumns(db, "pay_calls", spanColumns);
    },
  },
};
