/** Errors in the platform, planted where a mistake in its code would do the same. */
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { copyDisk } from "./copy-disk.ts";
import type { PlantedError } from "./life-world.ts";

const inTables = (...statements: readonly string[]): PlantedError => ({
  async afterStep(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});

/** Moves what a kind of postings booked from one account to another, so that the book still adds up. */
const booksElsewhere = (kind: string, from: string, to: string): PlantedError =>
  inTables(
    `update pay_postings set lines = replace(lines, '"${from}', '"${to}') where kind = '${kind}'`,
    "delete from pay_accounts",
    `insert into pay_accounts (account, fen) select json_extract(value, '$[0]'), sum(json_extract(value, '$[1]'))
      from pay_postings, json_each(lines) group by 1`,
  );

/** The network loses notifications of an event, and says that they were accepted. */
const neverSent = (event: string): PlantedError => ({
  deliver: async (sent) => (sent.body.includes(`"event_type":"${event}`) ? undefined : sent),
});

/** Stores another notification beside each one of a combined order. */
const notifiesMore = (number: string): PlantedError =>
  inTables(`insert into pay_notifications (about, mch_id, out_trade_no, refund_id, version, sign_type, url, content, state,
      attempts, created_at, base_at)
    select one.about, one.mch_id, ${number}, 'more', one.version, one.sign_type, one.url, one.content, 'accepted',
      one.attempts, one.created_at, one.base_at
    from pay_notifications one join pay_orders on pay_orders.out_trade_no = one.out_trade_no and combined = 0
    where not exists (select 1 from pay_notifications where refund_id = 'more')`);

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
  "a sub-merchant's payment goes to its service provider": booksElsewhere(
    "payment",
    "available:1900000209",
    "available:1900000109",
  ),
  "more is shared than an order has": inTables(
    "update pay_share_details set amount = amount + 1000000 where result = 'SUCCESS'",
  ),
  "a share goes to another receiver": booksElsewhere("share", "receiver:1900000301", "receiver:1900000302"),
  "a return of a share is not booked": booksElsewhere("share return", "available:", "coupons"),
  "a share is never notified": neverSent("PROFITSHARING.SUCCESS"),
  "a transfer that failed keeps the money": booksElsewhere("transfer returned", "available:", "coupons"),
  "a transfer that arrived is marked as failed": inTables(
    "update pay_transfers set state = 'FAIL' where state = 'SUCCESS'",
  ),
  "money of received goods stays frozen": inTables(
    "update pay_shipments set settled_at = received_at where received_at is not null",
  ),
  "a part of a combined order stays open": inTables(
    "update pay_orders set trade_state = 'NOTPAY' where combined > 0 and trade_state = 'CLOSED'",
  ),
  "a combined order is notified once more": notifiesMore("one.out_trade_no"),
  "a part of a combined order is notified as well": notifiesMore("one.out_trade_no || '_A'"),
  "a notification of a combined order lacks a part": inTables(`create trigger if not exists lacks_a_part
    after insert on pay_notifications when json_extract(new.content, '$.resource.sub_orders[1]') is not null
    begin
      update pay_notifications set content = json_remove(content, '$.resource.sub_orders[1]') where id = new.id;
    end`),
  "a deduction follows the end of its contract": inTables(
    "update pay_contracts set terminated_at = signed_at - 1 where signed_at is not null",
  ),
  "the signature of a contract is never notified": neverSent("ENTRUST.SIGN"),
  "the end of a contract is never notified": neverSent("ENTRUST.TERMINATE"),
  "the failure of a deduction is never notified": neverSent("TRANSACTION.FAIL"),
  "a notification tells of a contract that nobody signed": {
    async deliver(sent, db) {
      await sql.raw("update pay_contracts set signed_at = null").execute(db);
      return sent;
    },
  },
  "a refunded deduction is not booked": inTables(
    `delete from pay_postings where kind = 'refund' and order_id in
      (select id from pay_orders where trade_type = 'PAP')`,
  ),
  "a complaint is never notified": neverSent("COMPLAINT."),
  "a crash loses the notifications that were not sent yet": {
    onCrash(file) {
      const database = new DatabaseSync(file);
      database.exec("delete from pay_notifications where about not in ('payment', 'refund') and state = 'pending'");
      database.close();
    },
  },
  "a crash loses what was committed": {
    onCrash: (file) => copyDisk(file.replace("life.db", "first.db"), file),
  },
};
