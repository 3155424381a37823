import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";
import { storedJson, storedMchId } from "../stored-values.ts";

export const payMerchants = {
  mch_id: column.key(storedMchId),
  /** JSON of a merchant's data except its id. */
  details: column.text(storedJson),
};

export interface MerchantsTables {
  pay_merchants: TableOf<typeof payMerchants>;
}

export const merchantsMigrations: Migrations = {
  "003_merchants": {
    async up(db) {
      await createTable(db, "pay_merchants", payMerchants).execute();
    },
  },
};
