import type { Migrations } from "../../../store/database.ts";

export interface PayMerchantsTable {
  mch_id: string;
  /** JSON of a merchant's data except its id. */
  details: string;
}

export interface MerchantsTables {
  pay_merchants: PayMerchantsTable;
}

export const merchantsMigrations: Migrations = {
  "003_merchants": {
    async up(db) {
      await db.schema
        .createTable("pay_merchants")
        .addColumn("mch_id", "text", (c) => c.primaryKey())
        .addColumn("details", "text", (c) => c.notNull())
        .execute();
    },
  },
};
