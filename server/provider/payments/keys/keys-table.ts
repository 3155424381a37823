import type { Generated, Selectable } from "kysely";
import type { Migrations } from "../../../store/database.ts";

export interface SimKeysTable {
  id: Generated<number>;
  /** A merchant's certificate, a platform certificate, the platform's bare public key, or a certificate of Alipay. */
  kind: "merchant" | "certificate" | "public_key" | "alipay_root" | "alipay_platform" | "alipay_merchant";
  /** For a merchant's certificate; empty for the others. */
  mch_id: string;
  /** 40 upper-case hex digits, or a public key id. */
  serial: string;
  /** PEM (PKCS#8); empty if only its owner has it. */
  private_key: string;
  /** PEM: the certificate, or the public key itself. */
  public_part: string;
  created_at: number;
  expires_at: number;
}

export type SimKey = Selectable<SimKeysTable>;

export interface KeysTables {
  sim_keys: SimKeysTable;
}

export const keysMigrations: Migrations = {
  "004_keys": {
    async up(db) {
      await db.schema
        .createTable("sim_keys")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("kind", "text", (c) => c.notNull())
        .addColumn("mch_id", "text", (c) => c.notNull())
        .addColumn("serial", "text", (c) => c.notNull())
        .addColumn("private_key", "text", (c) => c.notNull())
        .addColumn("public_part", "text", (c) => c.notNull())
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("expires_at", "integer", (c) => c.notNull())
        .addUniqueConstraint("sim_keys_serial", ["mch_id", "serial"])
        .execute();
    },
  },
};
