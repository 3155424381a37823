import type { Generated, Selectable } from "kysely";
import type { NotificationVerdict } from "../../../contract/provider/notification-verdicts.ts";
import type { PayVersion, SignType } from "../../../contract/provider/payment-terms.ts";
import type { Migrations } from "../../../store/database.ts";

/** `unscheduled`: sent once, by a fault or a test, and never retried. */
export type NotificationState = "pending" | "accepted" | "given_up" | "unscheduled";

/** Times are Unix ms. */
export interface PayNotificationsTable {
  id: Generated<number>;
  about: "payment" | "refund";
  mch_id: string;
  out_trade_no: string;
  /** Empty for a payment. */
  refund_id: string;
  version: PayVersion;
  sign_type: SignType;
  url: string;
  /** The address of the other machine that named it, as in an order. */
  notify_from: string | null;
  /** JSON of a NotificationContent. */
  content: string;
  state: NotificationState;
  attempts: number;
  created_at: number;
  /** The start of the schedule. */
  base_at: number;
  /** For a pending one; null while it is being delivered. */
  due_at: number | null;
  /** The instance that delivers it, or did last; null where no other one shares the database. */
  taken_by: string | null;
}
export type NotificationRow = Selectable<PayNotificationsTable>;

export interface PayAttemptsTable {
  id: Generated<number>;
  notification_id: number;
  /** 1: the first delivery. Several rows have the same number if a fault made several deliveries of one. */
  attempt: number;
  started_at: number;
  duration_ms: number;
  /** JSON. */
  request_headers: string;
  /** At most 64 KiB. */
  request_body: string;
  /** 0: no answer. */
  status: number;
  /** JSON. */
  reply_headers: string;
  reply_body: string;
  verdict: NotificationVerdict;
  /** Why there was no answer. */
  reason: string | null;
  /** 1: accepted without a query about the order. */
  trusted: number;
  /** JSON: the faults that changed it. */
  faults: string;
}
export type AttemptRow = Selectable<PayAttemptsTable>;

export interface NotifierTables {
  pay_notifications: PayNotificationsTable;
  pay_attempts: PayAttemptsTable;
}

export const notifierMigrations: Migrations = {
  "007_notifications": {
    async up(db) {
      await db.schema
        .createTable("pay_notifications")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("about", "text", (c) => c.notNull())
        .addColumn("mch_id", "text", (c) => c.notNull())
        .addColumn("out_trade_no", "text", (c) => c.notNull())
        .addColumn("refund_id", "text", (c) => c.notNull())
        .addColumn("version", "text", (c) => c.notNull())
        .addColumn("sign_type", "text", (c) => c.notNull())
        .addColumn("url", "text", (c) => c.notNull())
        .addColumn("content", "text", (c) => c.notNull())
        .addColumn("state", "text", (c) => c.notNull())
        .addColumn("attempts", "integer", (c) => c.notNull())
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("base_at", "integer", (c) => c.notNull())
        .addColumn("due_at", "integer")
        .addColumn("notify_from", "text")
        .addColumn("taken_by", "text")
        .execute();
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
      await db.schema
        .createTable("pay_attempts")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("notification_id", "integer", (c) => c.notNull()) // may be deleted while it is being delivered
        .addColumn("attempt", "integer", (c) => c.notNull())
        .addColumn("started_at", "integer", (c) => c.notNull())
        .addColumn("duration_ms", "integer", (c) => c.notNull())
        .addColumn("request_headers", "text", (c) => c.notNull())
        .addColumn("request_body", "text", (c) => c.notNull())
        .addColumn("status", "integer", (c) => c.notNull())
        .addColumn("reply_headers", "text", (c) => c.notNull())
        .addColumn("reply_body", "text", (c) => c.notNull())
        .addColumn("verdict", "text", (c) => c.notNull())
        .addColumn("reason", "text")
        .addColumn("trusted", "integer", (c) => c.notNull())
        .addColumn("faults", "text", (c) => c.notNull())
        .execute();
      await db.schema.createIndex("pay_attempts_notification").on("pay_attempts").column("notification_id").execute();
    },
  },
};
