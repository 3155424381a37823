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

type Key = Pick<Order, "id" | "mchId" | "outTradeNo">;

/** Marks the orders that checks have placed, and removes them with all that belongs to them. */
export class CheckedOrders {
  readonly #deps: CheckedOrdersDeps;
  readonly #book: Book;

  constructor(deps: CheckedOrdersDeps) {
    this.#deps = deps;
    this.#book = new Book({ ...deps, now: Date.now });
  }

  /** Hides the order from lists that leave out the orders of checks. */
  async mark({ id }: Key): Promise<void> {
    const { db } = this.#deps;
    await db
      .insertInto("pay_check_orders")
      .values({ order_id: id })
      .onConflict((known) => known.doNothing())
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
    const rows = await this.#deps.db
      .selectFrom("pay_orders")
      .innerJoin("pay_check_orders", "order_id", "id")
      .select(["id", "mch_id as mchId", "out_trade_no as outTradeNo"])
      .execute();
    await this.remove(rows);
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
