import type { Generated } from "kysely";
import type { Migrations } from "../../store/database.ts";

export interface UploadsTable {
  id: Generated<number>;
  kind: "upload" | "avatar";
  /** The category word that the client sent. */
  type: string;
  /** The client's name for the file; never used as a path. */
  file_name: string;
  media_type: string;
  /** Bytes. */
  size: number;
  sha256: string;
  owner_id: number;
  /** Random part of an avatar's public page; null for other uploads. */
  public_id: string | null;
  created_at: number;
}

export interface UploadsTables {
  uploads: UploadsTable;
}

export const uploadsMigrations: Migrations = {
  "003_uploads": {
    async up(db) {
      await db.schema
        .createTable("uploads")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("kind", "text", (c) => c.notNull())
        .addColumn("type", "text", (c) => c.notNull())
        .addColumn("file_name", "text", (c) => c.notNull())
        .addColumn("media_type", "text", (c) => c.notNull())
        .addColumn("size", "integer", (c) => c.notNull())
        .addColumn("sha256", "text", (c) => c.notNull())
        .addColumn("owner_id", "integer", (c) => c.notNull())
        .addColumn("public_id", "text", (c) => c.unique())
        .addColumn("created_at", "integer", (c) => c.notNull())
        .execute();
      await db.schema.createIndex("uploads_by_content").on("uploads").column("sha256").execute();
    },
  },
};
