import type { Selectable } from "kysely";
import { z } from "zod";
import { notificationVerdict } from "../../../contract/provider/notification-verdicts.ts";
import { notificationSubject, payWire, signType } from "../../../contract/provider/payment-terms.ts";
import type { Migrations } from "../../../store/database.ts";
import { addColumns, column, createTable, type TableOf } from "../../../store/define-table.ts";
import { causeColumn, spanColumns } from "../../../store/span-columns.ts";
import { storedAsker, storedCount, storedJson, storedMchId, boundedText, storedTime } from "../stored-values.ts";

/** Times are Unix ms. */
const firstPayNotifications = {
  id: column.id,
  about: column.text(notificationSubject),
  mch_id: column.text(storedMchId),
  /** The merchant's number of an order, or of what another product has ended. */
  out_trade_no: column.text(z.string().max(64)),
  /** The platform's number of a refund, or of what another product has ended; empty for a payment. */
  refund_id: column.text(z.string().max(64)),
  version: column.text(payWire),
  sign_type: column.text(signType),
  url: column.text(boundedText),
  /** JSON of a NotificationContent. */
  content: column.text(storedJson),
  /** `unscheduled`: sent once, by a fault or a test, and never retried. */
  state: column.text(z.enum(["pending", "accepted", "given_up", "unscheduled"])),
  attempts: column.integer(storedCount),
  created_at: column.integer(storedTime),
  /** The start of the schedule. */
  base_at: column.integer(storedTime),
  /** For a pending one; null while it is being delivered. */
  due_at: column.optional(column.integer(storedTime)),
  /** The address of the other machine that named it, as in an order. */
  notify_from: column.optional(column.text(storedAsker)),
  /** The instance that delivers it, or did last; null where no other one shares the database. */
  taken_by: column.optional(column.text(z.string().max(64))),
};
export const payNotifications = { ...firstPayNotifications, ...causeColumn };
export type NotificationRow = Selectable<TableOf<typeof payNotifications>>;

const firstPayAttempts = {
  id: column.id,
  /** The notification may be deleted while it is being delivered, so this is no reference. */
  notification_id: column.integer(),
  /** 1: the first delivery. Several rows have the same number if a fault made several deliveries of one. */
  attempt: column.integer(),
  started_at: column.integer(),
  duration_ms: column.integer(),
  /** JSON. */
  request_headers: column.text(),
  /** At most 64 KiB. */
  request_body: column.text(),
  /** 0: no answer. */
  status: column.integer(),
  /** JSON. */
  reply_headers: column.text(),
  reply_body: column.text(),
  verdict: column.text(notificationVerdict),
  /** Why there was no answer. */
  reason: column.optional(column.text()),
  /** 1: accepted without a query about the order. */
  trusted: column.integer(),
  /** JSON: the faults that changed it. */
  faults: column.text(),
};
export const payAttempts = { ...firstPayAttempts, ...spanColumns };
export type AttemptRow = Selectable<TableOf<typeof payAttempts>>;

export interface NotifierTables {
  pay_notifications: TableOf<typeof payNotifications>;
  pay_attempts: TableOf<typeof payAttempts>;
}

export const notifierMigrations: Migrations = {
  "007_notifications": {
    async up(db) {
      await createTable(db, "pay_notifications", firstPayNotifications).execute();
      await db.schema
        .createIndex("pay_notifications_order")
        .on("pay_notifications")
        .columns(["out_trade_no", "mch_id"])
        .execute();
      // Contains only pending rows, which are few.
      await db.schema
        .createIndex("pay_notifications_due")
        .on("pay_notifications")
        .column("due_at")
        .where("due_at", "is not", null)
        .execute();
      await db.schema
        .createIndex("pay_notifications_pending")
        .on("pay_notifications")
        .columns(["state", "id"])
        .where("state", "=", "pending")
        .execute();
      await createTable(db, "pay_attempts", firstPayAttempts).execute();
      await db.schema.createIndex("pay_attempts_notification").on("pay_attempts").column("notification_id").execute();
    },
  },
  "012_notification_causes": {
    async up(db) {
      await addColumns(db, "pay_notifications", causeColumn);
      await addColumns(db, "pay_attempts", spanColumns);
    },
  },
  "014_given_up_notifications": {
    async up(db) {
      await db.schema
        .createIndex("pay_notifications_given_up")
        .on("pay_notifications")
        .columns(["state", "id"])
        .where("state", "=", "given_up")
        .execute();
    },
  },
};
