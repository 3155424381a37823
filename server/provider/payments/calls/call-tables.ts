import type { Generated } from "kysely";
import type { PayVersion } from "../../../contract/provider/payment-terms.ts";
import type { Migrations } from "../../../store/database.ts";
import type { CallName } from "./answer-call.ts";

export interface PayCallsTable {
  id: Generated<number>;
  mch_id: string;
  /** Empty if the call concerns no order, or none was found. */
  out_trade_no: string;
  name: CallName;
  version: PayVersion;
  method: string;
  target: string;
  body: string;
  status: number;
  reply: string;
  outcome: string;
  performed: number;
  /** JSON list of ids. */
  faults: string;
  /** Unix ms. */
  at: number;
  duration_ms: number;
}

export interface CallTables {
  pay_calls: PayCallsTable;
}

export const callMigrations: Migrations = {
  "005_calls": {
    async up(db) {
      await db.schema
        .createTable("pay_calls")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("mch_id", "text", (c) => c.notNull())
        .addColumn("out_trade_no", "text", (c) => c.notNull())
        .addColumn("name", "text", (c) => c.notNull())
        .addColumn("version", "text", (c) => c.notNull())
        .addColumn("method", "text", (c) => c.notNull())
        .addColumn("target", "text", (c) => c.notNull())
        .addColumn("body", "text", (c) => c.notNull())
        .addColumn("status", "integer", (c) => c.notNull())
        .addColumn("reply", "text", (c) => c.notNull())
        .addColumn("outcome", "text", (c) => c.notNull())
        .addColumn("performed", "integer", (c) => c.notNull())
        .addColumn("faults", "text", (c) => c.notNull())
        .addColumn("at", "integer", (c) => c.notNull())
        .addColumn("duration_ms", "real", (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex("pay_calls_of_order")
        .on("pay_calls")
        .columns(["out_trade_no", "mch_id", "id"])
        .execute();
    },
  },
};
