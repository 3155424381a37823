import type { Generated } from "kysely";
import type { Migrations } from "../../../store/database.ts";

interface SimFaultsTable {
  id: Generated<number>;
  /** JSON of the fault's definition. */
  input: string;
  hits: number;
  /** How often chance decided. */
  draws: number;
}

/** The state of a fault's effect on an order or a refund. */
export interface SimFaultOrdersTable {
  fault_id: number;
  mch_id: string;
  out_trade_no: string;
  /** Empty if it concerns the order. */
  refund_id: string;
  /** Queries since then. */
  count: number;
  /** The next step, named by the fault's kind; empty: none. */
  step: string;
  /** Unix ms at which the step is due. */
  due_at: number | null;
}

export interface FaultTables {
  sim_faults: SimFaultsTable;
  sim_fault_orders: SimFaultOrdersTable;
}

export const faultMigrations: Migrations = {
  "006_faults": {
    async up(db) {
      await db.schema
        .createTable("sim_faults")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("input", "text", (c) => c.notNull())
        .addColumn("hits", "integer", (c) => c.notNull().defaultTo(0))
        .addColumn("draws", "integer", (c) => c.notNull().defaultTo(0))
        .execute();
      await db.schema
        .createTable("sim_fault_orders")
        .addColumn("fault_id", "integer", (c) => c.notNull().references("sim_faults.id").onDelete("cascade"))
        .addColumn("mch_id", "text", (c) => c.notNull())
        .addColumn("out_trade_no", "text", (c) => c.notNull())
        .addColumn("refund_id", "text", (c) => c.notNull())
        .addColumn("count", "integer", (c) => c.notNull())
        .addColumn("step", "text", (c) => c.notNull())
        .addColumn("due_at", "integer")
        .addPrimaryKeyConstraint("sim_fault_orders_key", ["fault_id", "mch_id", "out_trade_no", "refund_id"])
        .execute();
    },
  },
};
