import type { Generated } from "kysely";
import type { FileChange } from "../../contract/app/file-events.ts";
import type { Migrations } from "../../store/database.ts";
import { indexLongTexts, keepLongTextsUnique } from "../../store/long-texts.ts";

export interface FileEventsTable {
  id: Generated<number>;
  /** The sender's id of the notification. A repeated delivery has the same one and is stored once. */
  event_id: string | null;
  df: string;
  ev: FileChange;
  received_at: number;
}

export interface WatchedFoldersTable {
  id: Generated<number>;
  /** Absolute path. */
  path: string;
  /** JSON: an array of regular expressions. */
  exclude: string;
  paused: 0 | 1;
  catch_up: Generated<0 | 1>;
  created_at: number;
}

export interface FileEventsTables {
  file_events: FileEventsTable;
  watched_folders: WatchedFoldersTable;
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
  "0007_watched_folders": {
    async up(db) {
      await db.schema
        .createTable("watched_folders")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("path", "text", (c) => c.notNull().unique())
        .addColumn("exclude", "text", (c) => c.notNull())
        .addColumn("paused", "integer", (c) => c.notNull())
        .addColumn("created_at", "integer", (c) => c.notNull())
        .execute();
      await db.schema.createIndex("file_events_by_path").on("file_events").columns(["df", "ev"]).execute();
      await db.schema.createIndex("file_events_by_kind").on("file_events").column("ev").execute();
    },
  },
  "0012_catch_up": {
    async up(db) {
      await db.schema
        .alterTable("watched_folders")
        .addColumn("catch_up", "integer", (c) => c.notNull().defaultTo(1))
        .execute();
    },
  },
  "0018_long_paths": {
    async up(db) {
      await indexLongTexts(db, { table: "file_events", column: "df", index: "file_events_by_path" });
      await keepLongTextsUnique(db, { table: "watched_folders", column: "path" });
    },
  },
};
