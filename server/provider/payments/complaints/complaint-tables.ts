import type { Selectable } from "kysely";
import { z } from "zod";
import { complaintProblem, complaintState } from "../../../contract/provider/sim-complaints.ts";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";
import { boundedText, storedAsker, storedCount, storedMchId, storedTime } from "../stored-values.ts";

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

export type ComplaintRow = Selectable<TableOf<typeof payComplaints>>;
export type ComplaintLogRow = Selectable<TableOf<typeof payComplaintLogs>>;

export interface ComplaintTables {
  pay_complaints: TableOf<typeof payComplaints>;
  pay_complaint_logs: TableOf<typeof payComplaintLogs>;
  pay_complaint_receivers: TableOf<typeof payComplaintReceivers>;
}

export const complaintMigrations: Migrations = {
  "018_complaints": {
    async up(db) {
      await createTable(db, "pay_complaints", payComplaints).execute();
      await db.schema.createIndex("pay_complaints_order").on("pay_complaints").column("order_id").execute();
      await createTable(db, "pay_complaint_logs", payComplaintLogs).execute();
      await db.schema.createIndex("pay_complaint_logs_of").on("pay_complaint_logs").column("complaint_id").execute();
      await createTable(db, "pay_complaint_receivers", payComplaintReceivers).execute();
    },
  },
};
