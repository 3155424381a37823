import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";

const merchantColumns = {
  mch_id: column.key,
  /** JSON of a merchant's data except its id. */
  details: column.text(),
};

export interface MerchantsTables {
  pay_merchants: TableOf<typeof merchantColumns>;
}

export const merchantsMigrations: Migrations = {
  "003_merchants": {
    async up(db) {
      await createTable(db, "pay_merchants", merchantColumns).execute();
    },
  },
};
