import type { Selectable } from "kysely";
import { z } from "zod";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";
import { storedJson } from "../stored-values.ts";

const bit = column.integer<number>(z.union([z.literal(0), z.literal(1)]));
const time = column.optional(column.integer());

export const simTradeManagement = {
  app_id: column.key(),
  managed: bit,
  confirmed: bit,
  jump_path: column.text(),
};

/** Times are Unix ms. */
export const payShipments = {
  order_id: column.integer(z.int().positive(), (c) => c.primaryKey().references("pay_orders.id").onDelete("cascade")),
  /** 1 if the money is frozen until the order is settled. */
  managed: bit,
  logistics_type: column.integer(z.int().min(0).max(4)),
  delivery_mode: column.integer(z.int().min(0).max(2)),
  /** JSON of the packages. */
  packages: column.text(storedJson),
  /** The app's own time of the latest upload. */
  uploaded_at: time,
  /** How often all packages were sent: 2 after the goods were shipped again. */
  finished: column.integer(z.int().min(0).max(2)),
  shipped_at: time,
  reminded_at: time,
  received_at: time,
  /** 1 by time, 2 by the buyer; 0: not yet received. */
  receive_method: column.integer(z.int().min(0).max(2)),
  settled_at: time,
  /** When time alone changes it next. */
  due_at: time,
};
export type ShipmentRow = Selectable<TableOf<typeof payShipments>>;

export interface ShippingTables {
  sim_trade_management: TableOf<typeof simTradeManagement>;
  pay_shipments: TableOf<typeof payShipments>;
}

export const shippingMigrations: Migrations = {
  "017_shipping": {
    async up(db) {
      await createTable(db, "sim_trade_management", simTradeManagement).execute();
      await createTable(db, "pay_shipments", payShipments).execute();
      await db.schema.createIndex("pay_shipments_due").on("pay_shipments").column("due_at").execute();
    },
  },
};
