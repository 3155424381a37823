import type { ExpressionBuilder } from "kysely";
import { internalNumbers } from "../../../contract/provider/internal-people.ts";
import type { Database } from "../../../store/database.ts";
import { Book } from "../book/book.ts";
import type { CallLog } from "../calls/call-log.ts";
import type { PaymentFaults } from "../faults/open-faults.ts";
import type { Order } from "../ledger/ledger.ts";
import type { Notifier } from "../notifier/notifier.ts";
import type { PaymentTables } from "../payment-tables.ts";

export interface CheckedOrdersDeps extends Pick<Database<PaymentTables>, "db" | "writes"> {
  readonly faults: Pick<PaymentFaults, "list">;
  readonly callLog: Pick<CallLog, "flush">;
  readonly notifier: Pick<Notifier, "flush">;
}

const newestId = (e: ExpressionBuilder<PaymentTables, "pay_orders">) =>
  e.fn.coalesce(e.fn.max("id"), e.lit(0)).as("newest");

type Key = Pick<Order, "id" | "mchId" | "outTradeNo">;

/**
 * Marks the orders that checks have placed, and removes them with all that belongs to them. A check is stored before each
 * order is placed: the order of a check that a crash has ended is then found by its time.
 */
export class CheckedOrders {
  readonly #deps: CheckedOrdersDeps;
  readonly #book: Book;

  constructor(deps: CheckedOrdersDeps) {
    this.#deps = deps;
    this.#book = new Book({ ...deps, now: Date.now });
  }

  /** Has an order of this merchant placed, and hides it from lists that leave out the orders of checks. */
  async place<Placed extends { readonly order: Key }>(mchId: string, place: () => Promise<Placed>): Promise<Placed> {
    const { db } = this.#deps;
    const placing = await db
      .insertInto("pay_check_placings")
      .values((e) => ({ mch_id: mchId, after_id: e.selectFrom("pay_orders").select(newestId) }))
      .returning("id")
      .executeTakeFirstOrThrow();
    try {
      const placed = await place();
      await db
        .insertInto("pay_check_orders")
        .values({ order_id: placed.order.id })
        .onConflict((known) => known.doNothing())
        .execute();
      return placed;
    } finally {
      await db.deleteFrom("pay_check_placings").where("id", "=", placing.id).execute();
    }
  }

  /** Moves the end of an order's prepay id to an earlier time. */
  async age({ id }: Pick<Key, "id">, ms: number): Promise<void> {
    const { db } = this.#deps;
    await db
      .updateTable("pay_orders")
      .set((e) => ({ prepay_expires_at: e("prepay_expires_at", "-", ms) }))
      .where("id", "=", id)
      .execute();
  }

  async remove(orders: readonly Key[]): Promise<void> {
    if (orders.length === 0) return;
    const { faults, callLog, notifier, writes } = this.#deps;
    for (const fault of faults.list.list())
      if ("scope" in fault && orders.some(({ outTradeNo }) => outTradeNo === fault.scope.out_trade_no))
        await faults.list.remove(fault.id);
    // Calls and notifications are written in batches.
    await callLog.flush();
    await notifier.flush();
    for (const order of orders) await writes.write(() => this.#removeRows(order));
  }

  /** Removes the orders of checks that a crash has ended. */
  async removeLeftovers(): Promise<void> {
    const { db } = this.#deps;
    const keys = db.selectFrom("pay_orders").select(["id", "mch_id as mchId", "out_trade_no as outTradeNo"]);
    const ofChecks = await keys
      .where((e) =>
        e.or([
          e("id", "in", db.selectFrom("pay_check_orders").select("order_id")),
          e("out_trade_no", "like", `${internalNumbers.check}%`),
        ]),
      )
      .execute();
    const placings = await db.selectFrom("pay_check_placings").selectAll().execute();
    for (const { mch_id, after_id } of placings) {
      const later = await keys.where("mch_id", "=", mch_id).where("id", ">", after_id).execute();
      // The check may have caused any of several orders.
      if (later.length === 1) ofChecks.push(...later.filter(({ id }) => !ofChecks.some((known) => known.id === id)));
    }
    await this.remove(ofChecks);
    await db.deleteFrom("pay_check_placings").execute();
  }

  async #removeRows({ id, mchId, outTradeNo }: Key): Promise<void> {
    const { db, writes } = this.#deps;
    const ofOrder = { mch_id: mchId, out_trade_no: outTradeNo };
    const notifications = db
      .selectFrom("pay_notifications")
      .select("id")
      .where((e) => e.and(ofOrder));
    await writes.run(db.deleteFrom("pay_attempts").where("notification_id", "in", notifications));
    for (const table of ["pay_notifications", "pay_calls", "sim_fault_orders"] as const)
      await writes.run(db.deleteFrom(table).where("out_trade_no", "=", outTradeNo).where("mch_id", "=", mchId));
    for (const table of ["pay_refunds", "pay_failures"] as const)
      await writes.run(db.deleteFrom(table).where("order_id", "=", id));
    await this.#book.forget(id);
    await writes.run(db.deleteFrom("pay_orders").where("id", "=", id));
  }
}
