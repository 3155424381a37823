import type { Selectable } from "kysely";
import { z } from "zod";
import { complaintProblem, complaintState } from "../../../contract/provider/sim-complaints.ts";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";
import { causeColumn } from "../../../store/span-columns.ts";
import { boundedText, storedAsker, storedCount, storedJson, storedMchId, storedTime } from "../stored-values.ts";

const time = column.integer(storedTime);
const text = column.text(boundedText);

export const payComplaints = {
  id: column.id,
  complaint_id: column.text(z.string().max(64), (c) => c.unique()),
  order_id: column.integer(z.int().positive(), (c) => c.references("pay_orders.id").onDelete("cascade")),
  mch_id: column.text(storedMchId),
  state: column.text(complaintState),
  detail: text,
  problem: text,
  problem_type: column.text(complaintProblem),
  apply_refund_amount: column.optional(column.integer(storedCount)),
  phone: column.optional(text),
  /** 1 while the buyer waits for an answer to a message. */
  unanswered: column.integer<number>(z.union([z.literal(0), z.literal(1)])),
  created_at: time,
};

export const payComplaintLogs = {
  id: column.id,
  complaint_id: column.text(z.string().max(64), (c) => c.references("pay_complaints.complaint_id").onDelete("cascade")),
  operator: text,
  /** The platform's operate_type. */
  type: text,
  text,
  at: time,
};

export const payComplaintReceivers = {
  mch_id: column.key(storedMchId),
  url: text,
  notify_from: column.optional(column.text(storedAsker)),
};

/** The notifications of complaints. */
export const payComplaintNotices = {
  id: column.id,
  complaint_id: column.text(z.string().max(64), (c) => c.references("pay_complaints.complaint_id").onDelete("cascade")),
  mch_id: column.text(storedMchId),
  url: text,
  notify_from: column.optional(column.text(storedAsker)),
  event_type: text,
  action_type: text,
  /** JSON of the members beside the resource. */
  envelope: column.text(storedJson),
  state: column.text(z.enum(["pending", "accepted", "given_up"])),
  attempts: column.integer(storedCount),
  /** Why the latest delivery was not accepted. */
  problem: column.optional(text),
  /** Unix ms at which the schedule of retries began. */
  base_at: time,
  due_at: column.optional(time),
  ...causeColumn,
};

export type ComplaintRow = Selectable<TableOf<typeof payComplaints>>;
export type ComplaintLogRow = Selectable<TableOf<typeof payComplaintLogs>>;
export type ComplaintNoticeRow = Selectable<TableOf<typeof payComplaintNotices>>;

export interface ComplaintTables {
  pay_complaints: TableOf<typeof payComplaints>;
  pay_complaint_logs: TableOf<typeof payComplaintLogs>;
  pay_complaint_receivers: TableOf<typeof payComplaintReceivers>;
  pay_complaint_notices: TableOf<typeof payComplaintNotices>;
}

export const complaintMigrations: Migrations = {
  "018_complaints": {
    async up(db) {
      await createTable(db, "pay_complaints", payComplaints).execute();
      await db.schema.createIndex("pay_complaints_order").on("pay_complaints").column("order_id").execute();
      await createTable(db, "pay_complaint_logs", payComplaintLogs).execute();
      await db.schema.createIndex("pay_complaint_logs_of").on("pay_complaint_logs").column("complaint_id").execute();
      await createTable(db, "pay_complaint_receivers", payComplaintReceivers).execute();
      await createTable(db, "pay_complaint_notices", payComplaintNotices).execute();
      await db.schema.createIndex("pay_complaint_notices_due").on("pay_complaint_notices").column("due_at").execute();
    },
  },
};
