import { sql, type Kysely } from "kysely";
import type { Instances } from "../../../store/database.ts";
import { bringForward } from "../../../store/waits.ts";
import type { LedgerTables } from "../ledger/ledger-tables.ts";
import type { AttemptRow, NotificationRow, NotifierTables } from "./notification-tables.ts";
import type { NotificationKey, NotificationWrites, DeliveryChange } from "./notification-writes.ts";
import type { Schedule } from "./retry-schedule.ts";

export interface NotificationFilter {
  readonly mchId?: string | undefined;
  readonly outTradeNo?: string | undefined;
  readonly state?: NotificationRow["state"] | undefined;
  readonly limit: number;
  /** Only those with a smaller id. */
  readonly before?: number | undefined;
}

/** An order, or a refund of it. */
export interface NotificationSubject {
  readonly mchId: string;
  readonly outTradeNo: string;
  /** Empty for the order itself. */
  readonly refundId: string;
}

/** Reads the stored notifications and their attempts. Pending writes are flushed first, so that a read sees them. */
export class NotificationStore {
  readonly #db: Kysely<NotifierTables & LedgerTables>;
  readonly #writes: Pick<NotificationWrites, "flush" | "settle">;
  readonly #instances: Pick<Instances, "name" | "isAlive"> | undefined;

  constructor(
    db: Kysely<NotifierTables & LedgerTables>,
    writes: Pick<NotificationWrites, "flush" | "settle">,
    instances: Pick<Instances, "name" | "isAlive"> | undefined,
  ) {
    this.#db = db;
    this.#writes = writes;
    this.#instances = instances;
  }

  get #claimed() {
    return { due_at: null, taken_by: this.#instances?.name ?? null };
  }

  /** Releases a claimed notification. */
  async settle(of: NotificationKey, change: DeliveryChange): Promise<void> {
    this.#writes.settle(of, change);
    await this.#writes.flush();
  }

  /** The orders of notifications that were sent and not accepted, to be retried or given up. The newest of each kind. */
  async undelivered(limit: number): Promise<Pick<NotificationRow, "mch_id" | "out_trade_no">[]> {
    await this.#writes.flush();
    const inState = (state: "pending" | "given_up") =>
      this.#db
        .selectFrom("pay_notifications")
        .select(["mch_id", "out_trade_no"])
        .where("state", "=", state)
        .where("attempts", ">", 0)
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
    return [...(await inState("pending")), ...(await inState("given_up"))];
  }

  /** Claims due notifications, so that nobody else delivers them. */
  async claimDue(now: number, limit: number): Promise<NotificationRow[]> {
    await this.#writes.flush();
    await bringForward(this.#db, { table: "pay_notifications", due: "due_at", since: "base_at" }, now);
    return this.#db
      .updateTable("pay_notifications")
      .set(this.#claimed)
      .where("id", "in", (due) =>
        due.selectFrom("pay_notifications").select("id").where("due_at", "<=", now).orderBy("due_at").limit(limit),
      )
      .returningAll()
      .execute();
  }

  /** Claims a notification that waits or is done; undefined while it is being delivered. */
  async claim(id: number): Promise<NotificationRow | undefined> {
    await this.#writes.flush();
    return this.#db
      .updateTable("pay_notifications")
      .set(this.#claimed)
      .where("id", "=", id)
      .where((row) => row.or([row("due_at", "is not", null), row("state", "!=", "pending")]))
      .returningAll()
      .executeTakeFirst();
  }

  /** Ends the schedule of a notification that its receiver has accepted out of turn, when `sent` was sent. */
  async accept(sent: Omit<NotificationRow, "taken_by">): Promise<void> {
    const { id, mch_id, out_trade_no, refund_id, url, created_at } = sent;
    await this.#writes.flush();
    await this.#db
      .updateTable("pay_notifications")
      .set({ state: "accepted", due_at: null })
      .where((row) => row.and({ mch_id, out_trade_no, refund_id, url, state: "pending" }))
      .where("due_at", "is not", null)
      // It is gone where another state was loaded meanwhile, and says nothing of that one.
      .where((e) =>
        e.exists(
          e
            .selectFrom("pay_notifications as sent")
            .select("sent.id")
            .where((row) =>
              row.and({ "sent.id": id, "sent.out_trade_no": out_trade_no, "sent.created_at": created_at }),
            ),
        ),
      )
      .execute();
  }

  async nextDue(): Promise<number | undefined> {
    await this.#writes.flush();
    const row = await this.#db
      .selectFrom("pay_notifications")
      .select("due_at")
      .where("due_at", "is not", null)
      .orderBy("due_at")
      .limit(1)
      .executeTakeFirst();
    return row?.due_at ?? undefined;
  }

  /** Changes the due times of waiting notifications. */
  async reschedule(now: number, next: (row: NotificationRow, due: number) => Schedule): Promise<void> {
    await this.#writes.flush();
    await this.#db.transaction().execute(async (trx) => {
      const waiting = trx.selectFrom("pay_notifications").selectAll().where("due_at", ">", now);
      for (const row of await waiting.where("attempts", ">", 0).execute()) {
        const { base, due } = next(row, row.due_at ?? now);
        await trx
          .updateTable("pay_notifications")
          .set({ base_at: base, due_at: due ?? null })
          .where("id", "=", row.id)
          .execute();
      }
    });
  }

  /**
   * Makes notifications due whose delivery was interrupted, by the program's end or by that of the connection to the
   * database. @param sending the ids of those that are sent here
   */
  async recover(now: number, sending: ReadonlySet<number>): Promise<void> {
    await this.#writes.flush();
    const interrupted = await this.#db
      .selectFrom("pay_notifications")
      .select(["id", "taken_by"])
      .where("state", "=", "pending")
      .where("due_at", "is", null)
      .execute();
    const others = new Set(interrupted.map(({ taken_by }) => taken_by));
    const alive = new Map<string | null, boolean>();
    for (const name of others) alive.set(name, name !== null && (await this.#instances?.isAlive(name)) === true);
    for (const { id, taken_by } of interrupted)
      if (taken_by === this.#claimed.taken_by ? !sending.has(id) : !alive.get(taken_by))
        await this.#db
          .updateTable("pay_notifications")
          .set({ due_at: now })
          .where("id", "=", id)
          .where("taken_by", taken_by === null ? "is" : "=", taken_by)
          .where("state", "=", "pending")
          .where("due_at", "is", null)
          .execute();
  }

  /** Payments and refunds that ended within `withinMs` and that their instance was killed before sending. */
  async unsent(now: number, withinMs: number): Promise<NotificationSubject[]> {
    await this.#writes.flush();
    const subjectOf = (refundId: "" | "pay_refunds.refund_id") =>
      sql<boolean>`exists (select 1 from pay_notifications as sent where sent.out_trade_no = pay_orders.out_trade_no
          and sent.mch_id = pay_orders.mch_id and sent.state <> 'unscheduled'
          and sent.refund_id = ${refundId === "" ? sql.lit("") : sql.ref(refundId)})`;
    const orders = await this.#db
      .selectFrom("pay_orders")
      .select(["mch_id as mchId", "out_trade_no as outTradeNo"])
      .where("paid_at", ">", now - withinMs)
      .where("notify_url", "is not", null)
      .where((row) => row.or([row("trade_type", "!=", "MICROPAY"), row("version", "=", "alipay")]))
      .where((row) => row.not(subjectOf("")))
      .execute();
    const refunds = await this.#db
      .selectFrom("pay_refunds")
      .innerJoin("pay_orders", "pay_orders.id", "pay_refunds.order_id")
      .select([
        "pay_refunds.mch_id as mchId",
        "pay_orders.out_trade_no as outTradeNo",
        "pay_refunds.refund_id as refundId",
      ])
      .where("pay_refunds.finished_at", ">", now - withinMs)
      .where("pay_refunds.notify_url", "is not", null)
      .where((row) => row.or([row("pay_refunds.version", "!=", "alipay"), row("pay_refunds.status", "=", "SUCCESS")]))
      .where((row) => row.not(subjectOf("pay_refunds.refund_id")))
      .execute();
    return [...orders.map((order) => ({ ...order, refundId: "" })), ...refunds];
  }

  /** Newest first. */
  async list({ mchId, outTradeNo, state, limit, before }: NotificationFilter): Promise<NotificationRow[]> {
    await this.#writes.flush();
    let query = this.#db.selectFrom("pay_notifications").selectAll().orderBy("id", "desc").limit(limit);
    if (mchId !== undefined) query = query.where("mch_id", "=", mchId);
    if (outTradeNo !== undefined) query = query.where("out_trade_no", "=", outTradeNo);
    if (state !== undefined) query = query.where("state", "=", state);
    if (before !== undefined) query = query.where("id", "<", before);
    return query.execute();
  }

  /** Oldest first. */
  async attempts(notificationIds: readonly number[]): Promise<AttemptRow[]> {
    if (notificationIds.length === 0) return [];
    await this.#writes.flush();
    return this.#db
      .selectFrom("pay_attempts")
      .selectAll()
      .where("notification_id", "in", notificationIds)
      .orderBy("id")
      .execute();
  }
}
