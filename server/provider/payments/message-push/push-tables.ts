import type { Selectable } from "kysely";
import { z } from "zod";
import { pushFormat, pushMode, pushState } from "../../../contract/provider/sim-message-push.ts";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";
import { causeColumn, spanColumns } from "../../../store/span-columns.ts";

export const simPushReceivers = {
  app_id: column.key(),
  url: column.text(),
  token: column.text(),
  encoding_aes_key: column.text(),
  format: column.text(pushFormat),
  mode: column.text(pushMode),
  /** The address that named the receiver; null: this machine. */
  notify_from: column.optional(column.text()),
};

export const simPushes = {
  id: column.id,
  event: column.text(),
  openid: column.text(),
  /** As it is sent in plain mode. */
  message: column.text(),
  state: column.text(pushState),
  /** Deliveries so far, without replays. */
  tries: column.integer(z.int().nonnegative()),
  /** Unix ms. */
  created_at: column.integer(),
  /** Unix ms of the next delivery; null while it is sent, and when there is none. */
  due_at: column.optional(column.integer()),
  ...causeColumn,
};

const simPushAttempts = {
  id: column.id,
  push_id: column.integer(z.int(), (c) => c.references("sim_pushes.id").onDelete("cascade")),
  /** Unix ms. */
  at: column.integer(),
  duration_ms: column.integer(),
  url: column.text(),
  body: column.text(),
  /** 0: no reply. */
  status: column.integer(),
  reply: column.text(),
  /** Null if the receiver accepted. */
  problem: column.optional(column.text()),
  ...spanColumns,
};

export type PushReceiverRow = Selectable<TableOf<typeof simPushReceivers>>;
export type PushRow = Selectable<TableOf<typeof simPushes>>;
export type PushAttemptRow = Selectable<TableOf<typeof simPushAttempts>>;

export interface PushTables {
  sim_push_receivers: TableOf<typeof simPushReceivers>;
  sim_pushes: TableOf<typeof simPushes>;
  sim_push_attempts: TableOf<typeof simPushAttempts>;
}

export const pushMigrations: Migrations = {
  "016_message_push": {
    async up(db) {
      await createTable(db, "sim_push_receivers", simPushReceivers).execute();
      await createTable(db, "sim_pushes", simPushes).execute();
      await db.schema.createIndex("sim_pushes_due").on("sim_pushes").column("due_at").execute();
      await createTable(db, "sim_push_attempts", simPushAttempts).execute();
      await db.schema.createIndex("sim_push_attempts_of_push").on("sim_push_attempts").column("push_id").execute();
    },
  },
};
