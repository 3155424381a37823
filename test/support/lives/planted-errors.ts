/** Ten kinds of errors in the platform, planted where a mistake in its code would do the same. */
import { sql } from "kysely";
import { copyDisk } from "./copy-disk.ts";
import type { PlantedError } from "./life-world.ts";

const inTables = (statement: string): PlantedError => ({
  afterStep: (db) => sql.raw(statement).execute(db),
});

const paid = "select min(id) from pay_orders where paid_at is not null";

export const plantedErrors: Readonly<Record<string, PlantedError>> = {
  "a posting loses a fen": inTables(
    "update pay_postings set lines = replace(lines, '[\"buyers\",-', '[\"buyers\",-1') where kind = 'payment'",
  ),
  "a payment is not booked": inTables("delete from pay_postings where kind = 'payment'"),
  "an account drifts from its lines": inTables("update pay_accounts set fen = fen + 1 where account = 'fees'"),
  "a payment is booked twice": inTables(`insert or ignore into pay_postings (at, kind, mch_id, subject, order_id, lines)
    select at, 'payment again', mch_id, subject, order_id, lines from pay_postings where kind = 'payment'`),
  "more is refunded than was paid": inTables(`update pay_orders set refunded = total + 1 where id = (${paid})`),
  "a refund happens twice": inTables(`insert or ignore into pay_refunds
    (mch_id, order_id, out_refund_no, refund_id, total, refund, currency, version, status, created_at, coupon_fee)
    select mch_id, order_id, out_refund_no || 'B', refund_id || 'B', total, refund, currency, version, status,
      created_at, coupon_fee from pay_refunds where length(refund_id) = 28`),
  "a settled order opens again": inTables(`update pay_orders set trade_state = 'NOTPAY' where refunded > 0`),
  "a notification is altered on its way": {
    deliver: async (sent) => ({
      ...sent,
      body: sent.body.replace(/\d(?=\D*$)/, "x").replace("total_fee", "total_fee2"),
    }),
  },
  "a notification tells of a payment that was undone": {
    async deliver(sent, db) {
      await sql
        .raw("update pay_orders set transaction_id = transaction_id || '0' where paid_at is not null")
        .execute(db);
      return sent;
    },
  },
  "a notification is marked as sent, and never was": { deliver: async () => undefined },
  "a crash loses what was committed": {
    onCrash: (file) => copyDisk(file.replace("life.db", "first.db"), file),
  },
};
