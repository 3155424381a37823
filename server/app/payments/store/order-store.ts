/** Orders and their histories in the database. Each change and its history entry are one transaction. */
import type { Selectable, Updateable } from "kysely";
import type { OrderListQuery } from "../../../contract/app/payments.ts";
import type { TradeState, TradeType } from "../../../contract/provider/payment-terms.ts";
import { UniqueViolation } from "../../../store/database.ts";
import type { Alarm } from "./alarm.ts";
import { entryView, type OrderEntry, type StoredEntry } from "./order-history.ts";
import { gone, type OrderWrites } from "./order-writes.ts";
import { newRow, unsetMembers, toOrder, type OrderToStore, type Order } from "./order-rows.ts";
import type { OrdersTable, PaymentsTables } from "./orders-tables.ts";
import type { PlacedOrder } from "../provider/provider-client.ts";
import type { EventOf, EventDatabase } from "../../../store/event-writes.ts";
import { bringForward } from "../../../store/waits.ts";
import { statesBefore } from "./trade-states.ts";

/** Changes other than the state, which has methods of its own. */
export type OrderChange = Omit<Updateable<OrdersTable>, "id" | "trade_state" | "settled_at" | "updated_at">;

export interface Payment {
  readonly transactionId: string;
  readonly paidAt: number | undefined;
}

/** Where a reset has removed the order, `current`, `change`, `markPlaced` and `note` throw HttpError 404. */
export interface OrderStore {
  /** Undefined when the user already has an order under this key. */
  create(order: OrderToStore, entries: readonly OrderEntry[]): Promise<Order | undefined>;
  get(id: number): Promise<Order | undefined>;
  byOutTradeNo(outTradeNo: string): Promise<Order | undefined>;
  /** The order as it is by now. */
  current(outTradeNo: string): Promise<Order>;
  byKey(userId: number, key: string): Promise<Order | undefined>;
  ofUser(userId: number, query: OrderListQuery): Promise<{ orders: Order[]; total: number }>;
  change(
    outTradeNo: string,
    change: OrderChange,
    entries: readonly OrderEntry[],
    eventOf?: EventOf<Order>,
  ): Promise<Order>;
  /** The provider accepted the order; stores its pay parameters, once: another instance may have, as it ended. */
  markPlaced(
    order: Order,
    placed: PlacedOrder,
    entries: readonly OrderEntry[],
    eventOf: EventOf<Order>,
  ): Promise<Order>;
  /** Undefined without any change when the transition is not allowed, or another order has the payment. */
  changeState(
    outTradeNo: string,
    state: Exclude<TradeState, "SUCCESS">,
    change: OrderChange,
    entries: readonly OrderEntry[],
    eventOf?: EventOf<Order>,
  ): Promise<Order | undefined>;
  /**
   * The only way to SUCCESS, once per order. Undefined for an order that is not open or is held because of its amount,
   * or when another order has the payment.
   */
  settle(
    order: Order,
    payment: Payment,
    entries: readonly OrderEntry[],
    options: {
      readonly reversing: 0 | 1;
      /** Unix ms; set where the payment may still be reversed. */
      readonly inquireAgainAt: number | undefined;
      readonly eventOf: EventOf<Order>;
    },
  ): Promise<Order | undefined>;
  /** Adds history entries that change nothing. */
  note(outTradeNo: string, entries: readonly OrderEntry[]): Promise<void>;
  /** Descriptions of orders, by their ids. */
  descriptions(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  history(id: number): Promise<StoredEntry[]>;
  /** The out_trade_no of orders that are due, the longest waiting first. */
  due(now: number, limit: number): Promise<string[]>;
  nextDue(): Promise<number | undefined>;
  /** Makes inquiries due that lie in the future since the clock was put back. None waits longer than `longestMs`. */
  bringForward(now: number, longestMs: number): Promise<void>;
}

/** A payment belongs to one order: nothing is changed when another one has it. */
function undefinedIfTaken(error: unknown): undefined {
  if (!(error instanceof UniqueViolation)) throw error;
}

interface Deps {
  readonly database: EventDatabase<PaymentsTables>;
  readonly writes: OrderWrites;
  readonly now: () => number;
  /** Set to the next inquiry of each write. */
  readonly alarm: Pick<Alarm, "setFor">;
}

export function createOrderStore({ database, writes, now, alarm }: Deps): OrderStore {
  const { db, reads, writes: grouped } = database;
  const byId = reads.prepare(db.selectFrom("orders").selectAll().where("id", "=", 0));
  const byNumber = reads.prepare(db.selectFrom("orders").selectAll().where("out_trade_no", "=", ""));
  const entriesOf = reads.prepare(db.selectFrom("order_history").selectAll().where("order_id", "=", 0).orderBy("id"));
  const first = ([row]: readonly Selectable<OrdersTable>[]) => (row ? toOrder(row) : undefined);

  const byOutTradeNo = async (outTradeNo: string) => first(await byNumber(outTradeNo));

  async function current(outTradeNo: string): Promise<Order> {
    const order = await byOutTradeNo(outTradeNo);
    if (!order) throw gone(outTradeNo);
    return order;
  }

  async function update(
    outTradeNo: string,
    values: Updateable<OrdersTable>,
    entries: readonly OrderEntry[],
    { from, eventOf }: { from?: readonly TradeState[]; eventOf?: EventOf<Order> | undefined } = {},
  ): Promise<Order | undefined> {
    const at = now();
    const changed = await grouped.writeWithEvent(async () => {
      const query = db
        .updateTable("orders")
        .set({ ...values, updated_at: at })
        .where("out_trade_no", "=", outTradeNo);
      const [row] = await grouped.run((from ? query.where("trade_state", "in", from) : query).returningAll());
      if (!row) return undefined;
      await writes.insertHistory(row.id, at, entries);
      return toOrder(row);
    }, eventOf);
    if (typeof values.next_query_at === "number") alarm.setFor(values.next_query_at);
    return changed;
  }

  return {
    async create(order, entries) {
      const at = now();
      const row = newRow(order, at);
      const id = await grouped.write(async () => {
        const inserted = await writes.insertOrder(row);
        if (inserted !== undefined) await writes.insertHistory(inserted, at, entries);
        return inserted;
      });
      if (id === undefined) return undefined;
      alarm.setFor(order.nextQueryAt);
      return toOrder({ ...row, ...unsetMembers, id });
    },

    async markPlaced(order, placed, entries, eventOf) {
      const at = now();
      const marked = await grouped.writeWithEvent(async (): Promise<Order | undefined> => {
        const id = await writes.markPlaced(order.outTradeNo, JSON.stringify(placed), at);
        if (id === undefined) return undefined;
        await writes.insertHistory(id, at, entries);
        return { ...order, placement: "placed", placed, updatedAt: at };
      }, eventOf);
      return marked ?? current(order.outTradeNo);
    },

    get: async (id) => first(await byId(id)),
    byOutTradeNo,
    current,

    async byKey(userId, key) {
      const row = await db
        .selectFrom("orders")
        .selectAll()
        .where("user_id", "=", userId)
        .where("idempotency_key", "=", key)
        .executeTakeFirst();
      return row && toOrder(row);
    },

    async ofUser(userId, { trade_state, trade_type, page, page_size }) {
      const chosen = db
        .selectFrom("orders")
        .where("user_id", "=", userId)
        .$if(trade_state !== undefined, (query) => query.where("trade_state", "=", trade_state as TradeState))
        .$if(trade_type !== undefined, (query) => query.where("trade_type", "=", trade_type as TradeType));
      const { total } = await chosen.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const rows = await chosen
        .selectAll()
        .orderBy("id", "desc")
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute();
      return { orders: rows.map(toOrder), total };
    },

    async descriptions(ids) {
      const orders = await db
        .selectFrom("orders")
        .select(["id", "description"])
        .where("id", "in", [...ids])
        .execute();
      return new Map(orders.map(({ id, description }) => [id, description]));
    },

    async change(outTradeNo, change, entries, eventOf) {
      const changed = await update(outTradeNo, change, entries, { eventOf });
      if (!changed) throw gone(outTradeNo);
      return changed;
    },

    changeState: (outTradeNo, state, change, entries, eventOf) =>
      update(outTradeNo, { ...change, trade_state: state }, entries, { from: statesBefore(state), eventOf }).catch(
        undefinedIfTaken,
      ),

    async settle(order, { transactionId, paidAt }, entries, { reversing, inquireAgainAt, eventOf }) {
      const at = now();
      const payment = { transactionId, paidAt: paidAt ?? null, nextQueryAt: inquireAgainAt ?? null, reversing };
      const times = { paidAt, settledAt: at, nextQueryAt: inquireAgainAt, updatedAt: at };
      const settled = await grouped
        .writeWithEvent(async (): Promise<Order | undefined> => {
          const id = await writes.markSettled(order.outTradeNo, payment, at);
          if (id === undefined) return undefined;
          await writes.insertHistory(id, at, entries);
          return { ...order, ...times, tradeState: "SUCCESS", transactionId, reversing: reversing === 1 };
        }, eventOf)
        .catch(undefinedIfTaken);
      if (settled && inquireAgainAt !== undefined) alarm.setFor(inquireAgainAt);
      return settled;
    },

    note: (outTradeNo, entries) =>
      grouped.write(async () => writes.insertRepeating(await writes.idOf(outTradeNo), now(), entries)),

    history: async (id) => (await entriesOf(id)).map(entryView),

    async due(at, limit) {
      const rows = await db
        .selectFrom("orders")
        .select("out_trade_no")
        .where("next_query_at", "<=", at)
        .orderBy("next_query_at")
        .limit(limit)
        .execute();
      return rows.map(({ out_trade_no }) => out_trade_no);
    },

    bringForward: (at, longestMs) =>
      bringForward(db, { table: "orders", due: "next_query_at", since: "updated_at", longestMs }, at),

    async nextDue() {
      const row = await db
        .selectFrom("orders")
        .select("next_query_at")
        .where("next_query_at", "is not", null)
        .orderBy("next_query_at")
        .limit(1)
        .executeTakeFirst();
      return row?.next_query_at ?? undefined;
    },
  };
}
