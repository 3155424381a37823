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
  /** The path that the file had before. */
  moved_from: string | null;
  /** The old path of a move, which the event of the new path shows, too. */
  is_departure: Generated<0 | 1>;
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
  "004_file_events": {
    async up(db) {
      await db.schema
        .createTable("file_events")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("event_id", "text", (c) => c.unique())
        .addColumn("df", "text", (c) => c.notNull())
        .addColumn("ev", "text", (c) => c.notNull())
        .addColumn("received_at", "integer", (c) => c.notNull())
        .execute();
      await indexLongTexts(db, { index: "file_events_by_path", table: "file_events", columns: ["df", "ev"] });
      await db.schema.createIndex("file_events_by_kind").on("file_events").column("ev").execute();
      await db.schema
        .createTable("watched_folders")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("path", "text", (c) => c.notNull().unique())
        .addColumn("exclude", "text", (c) => c.notNull())
        .addColumn("paused", "integer", (c) => c.notNull())
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("catch_up", "integer", (c) => c.notNull().defaultTo(1))
        .execute();
      await keepLongTextsUnique(db, { table: "watched_folders", column: "path" });
    },
  },
  "015_file_moves": {
    async up(db) {
      await db.schema.alterTable("file_events").addColumn("moved_from", "text").execute();
      await db.schema
        .alterTable("file_events")
        .addColumn("is_departure", "integer", (c) => c.notNull().defaultTo(0))
        .execute();
      await indexLongTexts(db, { index: "file_events_by_old_path", table: "file_events", columns: ["moved_from"] });
      await db.schema.dropIndex("file_events_by_kind").execute();
      await db.schema.createIndex("file_events_by_kind").on("file_events").columns(["is_departure", "ev"]).execute();
    },
  },
};
