/** The refunds of orders in the database. */
import { inEnglish } from "../../../contract/messages/in-english.ts";
import { parseStoredText } from "./stored-text.ts";
import type { Text } from "../../../contract/messages/message.ts";
import type { Selectable, Updateable } from "kysely";
import type { ApiRefund } from "../../../contract/app/payments.ts";
import { refuse } from "../../../http/http-error.ts";
import type { Alarm } from "./alarm.ts";
import type { OrderEntry } from "./order-history.ts";
import type { OrderWrites } from "./order-writes.ts";
import type { OrderRefundsTable, PaymentsTables } from "./orders-tables.ts";
import type { EventOf, EventDatabase } from "../../../store/event-writes.ts";
import { bringForward } from "../../../store/waits.ts";

export interface NewRefund extends Pick<StoredRefund, "outRefundNo" | "amount" | "reason" | "requestHash"> {
  readonly outTradeNo: string;
  readonly idempotencyKey: string | undefined;
  readonly nextQueryAt: number;
}

export type RefundChange = Omit<Updateable<OrderRefundsTable>, "id" | "order_id" | "out_refund_no" | "amount">;

const toRefund = (row: Selectable<OrderRefundsTable>) => ({
  id: row.id,
  orderId: row.order_id,
  outRefundNo: row.out_refund_no,
  amount: row.amount,
  reason: row.reason ?? undefined,
  requestHash: row.request_hash,
  accepted: row.accepted === 1,
  refundId: row.refund_id ?? undefined,
  status: row.status,
  /** The failure of the last call, if it has failed; the reply may have had no code. */
  failure:
    row.err_text === null ? undefined : { code: row.err_code ?? undefined, description: parseStoredText(row.err_text) },
  nextQueryAt: row.next_query_at ?? undefined,
  createdAt: row.created_at,
  finishedAt: row.finished_at ?? undefined,
});
export type StoredRefund = Readonly<ReturnType<typeof toRefund>>;

const time = (at: number) => new Date(at).toISOString();

export const refundView = (refund: StoredRefund, say: (text: Text) => string = inEnglish): ApiRefund => ({
  id: refund.id,
  order_id: refund.orderId,
  out_refund_no: refund.outRefundNo,
  ...(refund.refundId !== undefined && { refund_id: refund.refundId }),
  amount: refund.amount,
  ...(refund.reason !== undefined && { reason: refund.reason }),
  status: refund.status,
  accepted: refund.accepted,
  ...(refund.failure?.code !== undefined && { err_code: refund.failure.code }),
  ...(refund.failure && { err_text: say(refund.failure.description) }),
  created_at: time(refund.createdAt),
  ...(refund.finishedAt !== undefined && { finished_at: time(refund.finishedAt) }),
});

/** @throws HttpError 404 where a reset has removed it, so that the write is rolled back */
function theOne(outRefundNo: string, [row]: readonly Selectable<OrderRefundsTable>[]): StoredRefund {
  if (!row) throw refuse("refund.none", { id: outRefundNo });
  return toRefund(row);
}

interface Deps {
  readonly database: EventDatabase<PaymentsTables>;
  readonly writes: Pick<OrderWrites, "idOf" | "insertHistory">;
  readonly now: () => number;
  /** Set to the next inquiry of each write. */
  readonly alarm: Pick<Alarm, "setFor">;
}

export class RefundStore {
  readonly #deps: Deps;
  readonly #ofOrder;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#ofOrder = deps.database.reads.prepare(this.#rowsOf(0));
  }

  /**
   * @returns undefined where the order has more refunds than were `known`, or fewer: then nothing is stored
   * @throws HttpError 404 where a reset has removed the order
   */
  async create(refund: NewRefund, known: number, entries: readonly OrderEntry[]): Promise<StoredRefund | undefined> {
    const { database, writes, now, alarm } = this.#deps;
    const at = now();
    const created = await database.writes.write(async () => {
      const orderId = await writes.idOf(refund.outTradeNo);
      if ((await database.writes.run(this.#rowsOf(orderId))).length !== known) return undefined;
      const insert = database.db
        .insertInto("order_refunds")
        .values({
          order_id: orderId,
          out_refund_no: refund.outRefundNo,
          amount: refund.amount,
          reason: refund.reason ?? null,
          idempotency_key: refund.idempotencyKey ?? null,
          request_hash: refund.requestHash,
          accepted: 0,
          status: "PROCESSING",
          next_query_at: refund.nextQueryAt,
          created_at: at,
        })
        .returningAll();
      await writes.insertHistory(orderId, at, entries);
      return theOne(refund.outRefundNo, await database.writes.run(insert));
    });
    if (created) alarm.setFor(refund.nextQueryAt);
    return created;
  }

  async byOutRefundNo(no: string): Promise<StoredRefund | undefined> {
    const row = await this.#all().where("out_refund_no", "=", no).executeTakeFirst();
    return row && toRefund(row);
  }

  async byKey(orderId: number, key: string): Promise<StoredRefund | undefined> {
    const row = await this.#rowsOf(orderId).where("idempotency_key", "=", key).executeTakeFirst();
    return row && toRefund(row);
  }

  /** Oldest first. */
  async ofOrder(orderId: number): Promise<StoredRefund[]> {
    return (await this.#ofOrder(orderId)).map(toRefund);
  }

  async change(
    { outRefundNo }: StoredRefund,
    change: RefundChange,
    entries: readonly OrderEntry[],
    eventOf?: EventOf<StoredRefund>,
  ): Promise<StoredRefund> {
    const { database, writes, now, alarm } = this.#deps;
    const changed = await database.writes.writeWithEvent(async () => {
      const update = database.db.updateTable("order_refunds").set(change).where("out_refund_no", "=", outRefundNo);
      const refund = theOne(outRefundNo, await database.writes.run(update.returningAll()));
      await writes.insertHistory(refund.orderId, now(), entries);
      return refund;
    }, eventOf);
    if (typeof change.next_query_at === "number") alarm.setFor(change.next_query_at);
    return changed;
  }

  due(at: number, limit: number): Promise<{ outRefundNo: string; outTradeNo: string }[]> {
    return this.#deps.database.db
      .selectFrom("order_refunds")
      .innerJoin("orders", "orders.id", "order_refunds.order_id")
      .select(["out_refund_no as outRefundNo", "out_trade_no as outTradeNo"])
      .where("order_refunds.next_query_at", "<=", at)
      .orderBy("order_refunds.next_query_at")
      .limit(limit)
      .execute();
  }

  async nextDue(): Promise<number | undefined> {
    const row = await this.#all().where("next_query_at", "is not", null).orderBy("next_query_at").executeTakeFirst();
    return row?.next_query_at ?? undefined;
  }

  /** Makes inquiries due whose last one has failed: the settings may be other ones by now. */
  async hasten(at: number): Promise<void> {
    await this.#deps.database.db
      .updateTable("order_refunds")
      .set({ next_query_at: at })
      .where("err_text", "is not", null)
      .where("next_query_at", ">", at)
      .execute();
  }

  /** Makes inquiries due that lie in the future since the clock was put back. None waits longer than `longestMs`. */
  bringForward(at: number, longestMs: number): Promise<void> {
    const columns = { table: "order_refunds", due: "next_query_at", since: "created_at", longestMs } as const;
    return bringForward(this.#deps.database.db, columns, at);
  }

  #all() {
    return this.#deps.database.db.selectFrom("order_refunds").selectAll();
  }

  #rowsOf(orderId: number) {
    return this.#all().where("order_id", "=", orderId).orderBy("id");
  }
}
