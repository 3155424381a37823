/** The database of the application server: the tables of all features, and the parts that resets and fixtures know. */
import { moveTimes } from "../store/move-times.ts";
import { recordMigrations, type RecordTables } from "../store/records/record-tables.ts";
import type { StateRow } from "../store/state-part.ts";
import { banMigrations, type BanTables } from "./bans/ban-list.ts";
import { chatMigrations, type ChatTables } from "./chats/chat-store.ts";
import { eventLogMigrations, type EventLogTables } from "./event-log/event-log.ts";
import { fileEventsMigrations, type FileEventsTables } from "./file-events/file-events-table.ts";
import { lanMigrations, type LanTables } from "./lan-access/lan-tables.ts";
import { agedOrder, paymentsMigrations, type PaymentsTables } from "./payments/store/orders-tables.ts";
import { sessionsMigrations, type SessionsTables } from "./sessions/sessions-tables.ts";
import { uploadsMigrations, type UploadsTables } from "./uploads/uploads-table.ts";

export type AppTables = SessionsTables &
  RecordTables &
  UploadsTables &
  FileEventsTables &
  EventLogTables &
  BanTables &
  ChatTables &
  LanTables &
  PaymentsTables;

/** Its name in PostgreSQL. */
export const appSchema = "hearth";

export const appMigrations = {
  ...sessionsMigrations,
  ...recordMigrations,
  ...uploadsMigrations,
  ...fileEventsMigrations,
  ...eventLogMigrations,
  ...banMigrations,
  ...chatMigrations,
  ...lanMigrations,
  ...paymentsMigrations,
};

/** The tables of each part of the state. A referenced table comes before those that refer to it. */
export const stateParts = {
  users: { tables: ["users"] },
  sessions: {
    tables: ["sessions"],
    /** Keeps the remaining lifetime that the token had when it was saved. */
    aged: (row: StateRow, ms: number) => moveTimes(row, ["created_at", "expires_at"], ms),
  },
  records: { tables: ["records", "record_sequences"] },
  uploads: { tables: ["uploads"], blobColumn: "sha256" },
  file_events: { tables: ["file_events"] },
  orders: { tables: ["orders", "order_refunds", "order_history"], aged: agedOrder },
};
