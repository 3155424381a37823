import type { Migrations } from "../../store/database.ts";

interface ConsoleBrowsersTable {
  id: string;
  /** SHA-256 of the cookie's value, in hex. */
  cookie_hash: string;
  name: string;
  /** The id of the key by which it was let in; null: by the console's token. */
  made_by: string | null;
  /** Unix time in ms, of both. */
  created_at: number;
  seen_at: number;
}
export interface BrowserTables {
  console_browsers: ConsoleBrowsersTable;
}

export const browserMigrations: Migrations = {
  "013_console_browsers": {
    async up(db) {
      await db.schema
        .createTable("console_browsers")
        .addColumn("id", "text", (c) => c.primaryKey())
        .addColumn("cookie_hash", "text", (c) => c.notNull().unique())
        .addColumn("name", "text", (c) => c.notNull())
        .addColumn("made_by", "text")
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("seen_at", "integer", (c) => c.notNull())
        .execute();
    },
  },
};
