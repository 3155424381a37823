import type { Generated } from "kysely";
import type { Migrations } from "../../../store/database.ts";

interface SimFaultsTable {
  id: Generated<number>;
  /** JSON of what was asked for. */
  input: string;
  hits: number;
  /** Occasions at which chance decided. */
  draws: number;
}

/** What a fault has begun with an order or a refund. */
export interface SimFaultOrdersTable {
  fault_id: number;
  mch_id: string;
  out_trade_no: string;
  /** Empty where it is about the order. */
  refund_id: string;
  /** Queries since. */
  count: number;
  /** What is still to come, in the words of the fault's kind; empty: nothing. */
  step: string;
  /** Unix ms at which it comes by itself. */
  due_at: number | null;
}

export interface FaultTables {
  sim_faults: SimFaultsTable;
  sim_fault_orders: SimFaultOrdersTable;
}

export const faultMigrations: Migrations = {
  "0007_faults": {
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
