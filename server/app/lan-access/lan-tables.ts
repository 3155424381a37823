import type { Migrations } from "../../store/database.ts";

interface LanDevicesTable {
  id: string;
  name: string;
  /** Where it called from last; empty when another device has the address. */
  address: string;
  /** This machine's own address and prefix at that time: elsewhere the same address is another device. */
  network: string;
  /** SHA-256 in hex; null for one that keeps no cookies. */
  cookie_hash: string | null;
  /** Unix time in ms, of both. */
  admitted_at: number;
  seen_at: number;
}

/** One row. */
interface LanAccessTable {
  id: 1;
  enabled: number;
  interface: string | null;
  /** Separated by commas. */
  services: string;
  /** The network on which everybody is admitted. */
  everyone_on: string | null;
}

export interface LanTables {
  lan_devices: LanDevicesTable;
  lan_access: LanAccessTable;
}

export const lanMigrations: Migrations = {
  "008_lan_access": {
    async up(db) {
      await db.schema
        .createTable("lan_devices")
        .addColumn("id", "text", (c) => c.primaryKey())
        .addColumn("name", "text", (c) => c.notNull())
        .addColumn("address", "text", (c) => c.notNull())
        .addColumn("network", "text", (c) => c.notNull())
        .addColumn("cookie_hash", "text")
        .addColumn("admitted_at", "integer", (c) => c.notNull())
        .addColumn("seen_at", "integer", (c) => c.notNull())
        .execute();
      await db.schema
        .createTable("lan_access")
        .addColumn("id", "integer", (c) => c.primaryKey())
        .addColumn("enabled", "integer", (c) => c.notNull())
        .addColumn("interface", "text")
        .addColumn("services", "text", (c) => c.notNull())
        .addColumn("everyone_on", "text")
        .execute();
    },
  },
};
