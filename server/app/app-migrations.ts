/**
 * The migrations of all features, apart from the features themselves: commands that read or copy a database load these
 * few files and nothing of the server.
 */
import type { Migrations } from "../store/database.ts";
import { recordMigrations } from "../store/records/record-tables.ts";
import { banMigrations } from "./bans/ban-list.ts";
import { codeMigrations } from "./code-routes/code-state.ts";
import { chatMigrations } from "./chats/chat-store.ts";
import { browserMigrations } from "./console/browsers-table.ts";
import { eventLogMigrations } from "./event-log/event-log.ts";
import { fileEventsMigrations } from "./file-events/file-events-table.ts";
import { lanMigrations } from "./lan-access/lan-tables.ts";
import { paymentsMigrations } from "./payments/store/orders-tables.ts";
import { sessionsMigrations } from "./sessions/sessions-tables.ts";
import { uploadsMigrations } from "./uploads/uploads-table.ts";

export const appMigrations: Migrations = {
  ...sessionsMigrations,
  ...recordMigrations,
  ...uploadsMigrations,
  ...fileEventsMigrations,
  ...paymentsMigrations,
  ...eventLogMigrations,
  ...chatMigrations,
  ...codeMigrations,
  ...lanMigrations,
  ...banMigrations,
  ...browserMigrations,
};
