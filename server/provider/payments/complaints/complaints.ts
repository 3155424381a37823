import { randomInt } from "node:crypto";
import type { Kysely, Transaction, Updateable } from "kysely";
import type { z } from "zod";
import type { simComplaintInput } from "../../../contract/provider/sim-complaints.ts";
import type { SimOfOrder } from "../../../contract/provider/sim-orders.ts";
import { compactTime } from "../../../payment-wire/provider-time.ts";
import type { Order } from "../ledger/ledger.ts";
import type { LedgerTables } from "../ledger/ledger-tables.ts";
import type { NotificationStore } from "../notifier/notification-store.ts";
import type { NotifierTables } from "../notifier/notification-tables.ts";
import type { NoticeOutbox } from "../notifier/product-notices.ts";
import type { ComplaintLogRow, ComplaintRow, ComplaintTables } from "./complaint-tables.ts";

type Tables = ComplaintTables & LedgerTables & NotifierTables;

interface Deps {
  readonly db: Kysely<Tables>;
  readonly notifications: Pick<NotificationStore, "list" | "attempts">;
  readonly outbox: NoticeOutbox;
  /** Unix time in ms. */
  readonly now: () => number;
}

type Filing = z.output<typeof simComplaintInput>;

const summaries = { "COMPLAINT.CREATE": "产生新投诉", "COMPLAINT.STATE_CHANGE": "投诉单状态变化" } as const;

/** More than a complaint has. */
const mostNotices = 1_000;

/** The platform's description of a problem. */
const dissatisfied = "不满意商家服务";

const operators = { user: "投诉人", merchant: "商家" } as const;
type Operator = keyof typeof operators;

export interface ComplaintWithOrder extends ComplaintRow {
  readonly outTradeNo: string;
  readonly transactionId: string;
  readonly openid: string;
  readonly total: number;
  readonly isRefunded: boolean;
  /** How often the buyer has complained about the order. */
  readonly times: number;
}

interface JoinedRow extends ComplaintRow {
  readonly out_trade_no: string;
  readonly transaction_id: string;
  readonly openid: string;
  readonly total: number;
  readonly refunded: number;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Complaints of buyers: PENDING → PROCESSING, once the merchant replies → PROCESSED, when the merchant completes it. A buyer
 * who complains again makes it PENDING. Each act is logged, and the merchant is notified.
 */
export class Complaints {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async file(order: Order, { detail, problem_type, apply_refund_amount, phone, ...filing }: Filing): Promise<string> {
    const { db, now } = this.#deps;
    const complaint_id = `2002${compactTime(now())}${String(randomInt(1e9, 1e10))}`;
    const complaint = { complaint_id, mch_id: order.mchId };
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto("pay_complaints")
        .values({
          ...{ ...complaint, order_id: order.id, state: "PENDING", detail, problem_type },
          problem: filing.problem ?? dissatisfied,
          ...{ apply_refund_amount: apply_refund_amount ?? null, phone: phone ?? null },
          ...{ unanswered: 0, created_at: now() },
        })
        .execute();
      await this.#log(complaint_id, "user", "USER_CREATE_COMPLAINT_SYSTEM_MESSAGE", detail, trx);
      await this.#notify(trx, complaint, "COMPLAINT.CREATE", "CREATE_COMPLAINT");
    });
    this.#deps.outbox.wake();
    return complaint_id;
  }

  /** The buyer sends a message. */
  async message(complaint: ComplaintRow, text: string): Promise<void> {
    await this.#act(complaint, "user", "USER_RESPONSE", { text, action: "USER_RESPONSE" }, { unanswered: 1 });
  }

  async complainAgain(complaint: ComplaintRow, text: string): Promise<void> {
    const type = "USER_CONTINUE_COMPLAINT_SYSTEM_MESSAGE";
    await this.#act(complaint, "user", type, { text, action: "CONTINUE_COMPLAINT" }, { state: "PENDING" });
  }

  async reply(complaint: ComplaintRow, text: string): Promise<void> {
    const change = { unanswered: 0, ...(complaint.state === "PENDING" && ({ state: "PROCESSING" } as const)) };
    await this.#act(complaint, "merchant", "MERCHANT_RESPONSE", { text, action: "MERCHANT_RESPONSE" }, change);
  }

  async complete(complaint: ComplaintRow): Promise<void> {
    const type = "MERCHANT_CONFIRM_COMPLETE";
    await this.#act(complaint, "merchant", type, { text: "", action: type }, { state: "PROCESSED" });
  }

  /** The merchant decides about the refund that the buyer wants. @param reason of a rejection; undefined: approved */
  async decideRefund({ complaint_id }: ComplaintRow, reason: string | undefined): Promise<void> {
    const type = reason === undefined ? "MERCHANT_APPROVE_REFUND" : "MERCHANT_REFUSE_RERUND"; // sic
    await this.#log(complaint_id, "merchant", type, reason ?? "");
  }

  async find(complaintId: string): Promise<ComplaintWithOrder | undefined> {
    const row = await this.#rows().where("complaint_id", "=", complaintId).executeTakeFirst();
    return row && (await this.#withTimes(row));
  }

  /** Newest first. @param from Unix ms, like `to`, which is excluded */
  async ofMerchant(mchId: string, { from, to, limit, offset }: Page & { from: number; to: number }) {
    const matching = this.#rows()
      .where("pay_complaints.mch_id", "=", mchId)
      .where("pay_complaints.created_at", ">=", from)
      .where("pay_complaints.created_at", "<", to);
    const all = await matching.orderBy("pay_complaints.id", "desc").execute();
    const page = await Promise.all(all.slice(offset, offset + limit).map((row) => this.#withTimes(row)));
    return { page, total: all.length };
  }

  /** Newest first. */
  async newest({ mch_id, out_trade_no }: SimOfOrder, limit: number): Promise<ComplaintWithOrder[]> {
    const matching = this.#rows()
      .$if(mch_id !== undefined, (all) => all.where("pay_complaints.mch_id", "=", mch_id ?? ""))
      .$if(out_trade_no !== undefined, (all) => all.where("out_trade_no", "=", out_trade_no ?? ""));
    const rows = await matching.orderBy("pay_complaints.id", "desc").limit(limit).execute();
    return Promise.all(rows.map((row) => this.#withTimes(row)));
  }

  /** Oldest first. */
  history(complaintId: string): Promise<ComplaintLogRow[]> {
    const { db } = this.#deps;
    const logs = db.selectFrom("pay_complaint_logs").selectAll().where("complaint_id", "=", complaintId);
    return logs.orderBy("id").execute();
  }

  /** Oldest first, each with why its latest delivery was not accepted. */
  async notices({ mch_id: mchId, complaint_id: outTradeNo }: Pick<ComplaintRow, "mch_id" | "complaint_id">) {
    const { notifications } = this.#deps;
    const rows = (await notifications.list({ mchId, outTradeNo, limit: mostNotices })).toReversed();
    const attempts = await notifications.attempts(rows.map(({ id }) => id));
    return rows.map((row) => {
      const verdict = attempts.findLast(({ notification_id }) => notification_id === row.id)?.verdict;
      return { ...row, problem: verdict === "accepted" ? undefined : verdict };
    });
  }

  async #act(
    complaint: ComplaintRow,
    operator: Operator,
    type: string,
    { text, action }: { readonly text: string; readonly action: string },
    change: Updateable<ComplaintTables["pay_complaints"]>,
  ): Promise<void> {
    const { db, outbox } = this.#deps;
    const { complaint_id } = complaint;
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("pay_complaints").set(change).where("complaint_id", "=", complaint_id).execute();
      await this.#log(complaint_id, operator, type, text, trx);
      await this.#notify(trx, complaint, "COMPLAINT.STATE_CHANGE", action);
    });
    outbox.wake();
  }

  /** Stores a notification; nothing if the merchant has named no address. */
  async #notify(
    trx: Transaction<Tables>,
    { complaint_id, mch_id: mchId }: Pick<ComplaintRow, "complaint_id" | "mch_id">,
    event: keyof typeof summaries,
    action_type: string,
  ): Promise<void> {
    const receivers = trx.selectFrom("pay_complaint_receivers").select(["url", "notify_from as from"]);
    const receiver = await receivers.where("mch_id", "=", mchId).executeTakeFirst();
    if (!receiver) return;
    await this.#deps.outbox.add(trx, {
      ...{ ...receiver, about: "complaint", mchId, number: complaint_id, id: complaint_id },
      ...{ event, summary: summaries[event], originalType: "complaint" },
      resource: { complaint_id, action_type },
    });
  }

  async #log(
    complaint_id: string,
    operator: Operator,
    type: string,
    text: string,
    db: Kysely<Tables> = this.#deps.db,
  ): Promise<void> {
    const { now } = this.#deps;
    const row = { complaint_id, operator: operators[operator], type, text, at: now() };
    await db.insertInto("pay_complaint_logs").values(row).execute();
  }

  #rows() {
    return this.#deps.db
      .selectFrom("pay_complaints")
      .innerJoin("pay_orders", "pay_orders.id", "pay_complaints.order_id")
      .selectAll("pay_complaints")
      .select((e) => [
        "out_trade_no",
        "total",
        "refunded",
        e.fn.coalesce("transaction_id", e.val("")).as("transaction_id"),
        e.fn.coalesce("payer", "openid", e.val("")).as("openid"),
      ]);
  }

  async #withTimes(row: JoinedRow): Promise<ComplaintWithOrder> {
    const { out_trade_no, transaction_id, refunded, ...complaint } = row;
    const count = await this.#deps.db
      .selectFrom("pay_complaints")
      .select((e) => e.fn.countAll<number>().as("times"))
      .where("order_id", "=", row.order_id)
      .executeTakeFirstOrThrow();
    return {
      ...complaint,
      ...{ outTradeNo: out_trade_no, transactionId: transaction_id },
      ...{ isRefunded: refunded >= row.total, times: Number(count.times) },
    };
  }
}
