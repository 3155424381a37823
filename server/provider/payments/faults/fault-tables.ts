import { z } from "zod";
import type { Migrations } from "../../../store/database.ts";
import { addColumns, column, createTable, type TableOf } from "../../../store/define-table.ts";
import { causeColumn } from "../../../store/span-columns.ts";
import { storedCount, storedJson, storedMchId, storedTime } from "../stored-values.ts";

export const simFaults = {
  id: column.id,
  /** JSON of the fault's definition. */
  input: column.text(storedJson),
  hits: column.integer(storedCount, (c) => c.defaultTo(0)),
  /** How often chance decided. */
  draws: column.integer(storedCount, (c) => c.defaultTo(0)),
};

/** The state of a fault's effect on an order or a refund. */
const firstSimFaultOrders = {
  fault_id: column.integer(z.int().positive(), (c) => c.references("sim_faults.id").onDelete("cascade")),
  mch_id: column.text(storedMchId),
  out_trade_no: column.text(z.string().max(32)),
  /** Empty if it concerns the order. */
  refund_id: column.text(z.string().max(128)),
  /** Queries since then. */
  count: column.integer(storedCount),
  /** The next step, named by the fault's kind; empty: none. */
  step: column.text(z.string().max(64)),
  /** Unix ms at which the step is due. */
  due_at: column.optional(column.integer(storedTime)),
};
export const simFaultOrders = { ...firstSimFaultOrders, ...causeColumn };

export interface FaultTables {
  sim_faults: TableOf<typeof simFaults>;
  sim_fault_orders: TableOf<typeof simFaultOrders>;
}

export const faultMigrations: Migrations = {
  "006_faults": {
    async up(db) {
      await createTable(db, "sim_faults", simFaults).execute();
      await createTable(db, "sim_fault_orders", firstSimFaultOrders)
        .addPrimaryKeyConstraint("sim_fault_orders_key", ["fault_id", "mch_id", "out_trade_no", "refund_id"])
        .execute();
    },
  },
  "014_fault_causes": {
    async up(db) {
      await addColumns(db, "sim_fault_orders", causeColumn);
    },
  },
};
