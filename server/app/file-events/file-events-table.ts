import type { Generated } from "kysely";
import type { FileChange } from "../../contract/file-events.ts";
import type { Migrations } from "../../store/database.ts";

export interface FileEventsTable {
  id: Generated<number>;
  /** The sender's id of the notification, so that a repeated delivery is stored once. */
  event_id: string | null;
  df: string;
  ev: FileChange;
  received_at: number;
}

export interface FileEventsTables {
  file_events: FileEventsTable;
}

export const fileEventsMigrations: Migrations = {
  "0004_file_events": {
    async up(db) {
      await db.schema
        .createTable("file_events")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("event_id", "text", (c) => c.unique())
        .addColumn("df", "text", (c) => c.notNull())
        .addColumn("ev", "text", (c) => c.notNull())
        .addColumn("received_at", "integer", (c) => c.notNull())
        .execute();
    },
  },
};
