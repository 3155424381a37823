import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";

const faultColumns = {
  id: column.id,
  /** JSON of the fault's definition. */
  input: column.text(),
  hits: column.integer((c) => c.defaultTo(0)),
  /** How often chance decided. */
  draws: column.integer((c) => c.defaultTo(0)),
};

/** The state of a fault's effect on an order or a refund. */
const faultOrderColumns = {
  fault_id: column.integer((c) => c.references("sim_faults.id").onDelete("cascade")),
  mch_id: column.text(),
  out_trade_no: column.text(),
  /** Empty if it concerns the order. */
  refund_id: column.text(),
  /** Queries since then. */
  count: column.integer(),
  /** The next step, named by the fault's kind; empty: none. */
  step: column.text(),
  /** Unix ms at which the step is due. */
  due_at: column.optionalInteger(),
};

export interface FaultTables {
  sim_faults: TableOf<typeof faultColumns>;
  sim_fault_orders: TableOf<typeof faultOrderColumns>;
}

export const faultMigrations: Migrations = {
  "006_faults": {
    async up(db) {
      await createTable(db, "sim_faults", faultColumns).execute();
      await createTable(db, "sim_fault_orders", faultOrderColumns)
        .addPrimaryKeyConstraint("sim_fault_orders_key", ["fault_id", "mch_id", "out_trade_no", "refund_id"])
        .execute();
    },
  },
};
