import type { Selectable, Updateable } from "kysely";
import { internalNumbers } from "../../../contract/provider/internal-people.ts";
import type { OrderListQuery } from "../../../contract/app/payments.ts";
import type { TradeState, BuyerTradeType } from "../../../contract/provider/payment-terms.ts";
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

/** Matches the numbers of orders of receiver checks. */
const checkNumbers = `${internalNumbers.check}%`;

/** A payment belongs to one order: nothing is changed when another one has it. */
function undefinedIfTaken(error: unknown): undefined {
  if (!(error instanceof UniqueViolation)) throw error;
}

interface SettleOptions {
  readonly reversing: 0 | 1;
  /** Unix ms; set where the payment may still be reversed. */
  readonly inquireAgainAt: number | undefined;
  readonly eventOf: EventOf<Order>;
}

interface Deps {
  readonly database: EventDatabase<PaymentsTables>;
  readonly writes: OrderWrites;
  readonly now: () => number;
  /** Set to the next inquiry of each write. */
  readonly alarm: Pick<Alarm, "setFor">;
}

/**
 * Orders and their histories in the database. Each change and its history entry are one transaction. Where a reset has
 * removed the order, `current`, `change`, `markPlaced` and `note` throw HttpError 404.
 */
export class OrderStore {
  readonly #deps: Deps;
  readonly #byId;
  readonly #byNumber;
  readonly #entriesOf;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { reads, db } = deps.database;
    this.#byId = reads.prepare(db.selectFrom("orders").selectAll().where("id", "=", 0));
    this.#byNumber = reads.prepare(db.selectFrom("orders").selectAll().where("out_trade_no", "=", ""));
    this.#entriesOf = reads.prepare(db.selectFrom("order_history").selectAll().where("order_id", "=", 0).orderBy("id"));
  }

  /** Undefined when the user already has an order under this key. */
  async create(order: OrderToStore, entries: readonly OrderEntry[]): Promise<Order | undefined> {
    const { database, now, writes, alarm } = this.#deps;
    const at = now();
    const row = newRow(order, at);
    const id = await database.writes.write(async () => {
      const inserted = await writes.insertOrder(row);
      if (inserted !== undefined) await writes.insertHistory(inserted, at, entries);
      return inserted;
    });
    if (id === undefined) return undefined;
    alarm.setFor(order.nextQueryAt);
    return toOrder({ ...row, ...unsetMembers, id });
  }

  async get(id: number): Promise<Order | undefined> {
    return first(await this.#byId(id));
  }

  async byOutTradeNo(outTradeNo: string): Promise<Order | undefined> {
    return first(await this.#byNumber(outTradeNo));
  }

  /** Reads the order as it is now. */
  async current(outTradeNo: string): Promise<Order> {
    const order = await this.byOutTradeNo(outTradeNo);
    if (!order) throw gone(outTradeNo);
    return order;
  }

  async byKey(userId: number, key: string): Promise<Order | undefined> {
    const row = await this.#deps.database.db
      .selectFrom("orders")
      .selectAll()
      .where("user_id", "=", userId)
      .where("idempotency_key", "=", key)
      .executeTakeFirst();
    return row && toOrder(row);
  }

  async ofUser(
    userId: number,
    { trade_state, trade_type, page, page_size }: OrderListQuery,
  ): Promise<{ orders: Order[]; total: number }> {
    const chosen = this.#deps.database.db
      .selectFrom("orders")
      .where("user_id", "=", userId)
      .$if(trade_state !== undefined, (query) => query.where("trade_state", "=", trade_state as TradeState))
      .$if(trade_type !== undefined, (query) => query.where("trade_type", "=", trade_type as BuyerTradeType));
    const { total } = await chosen.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const rows = await chosen
      .selectAll()
      .orderBy("id", "desc")
      .limit(page_size)
      .offset((page - 1) * page_size)
      .execute();
    return { orders: rows.map(toOrder), total };
  }

  async change(
    outTradeNo: string,
    change: OrderChange,
    entries: readonly OrderEntry[],
    eventOf?: EventOf<Order>,
  ): Promise<Order> {
    const changed = await this.#update(outTradeNo, change, entries, { eventOf });
    if (!changed) throw gone(outTradeNo);
    return changed;
  }

  /** Stores the pay parameters of an order that the provider accepted, unless another instance has stored them. */
  async markPlaced(
    order: Order,
    placed: PlacedOrder,
    entries: readonly OrderEntry[],
    eventOf: EventOf<Order>,
  ): Promise<Order> {
    const { database, now, writes } = this.#deps;
    const at = now();
    const marked = await database.writes.writeWithEvent(async (): Promise<Order | undefined> => {
      const id = await writes.markPlaced(order.outTradeNo, JSON.stringify(placed), at);
      if (id === undefined) return undefined;
      await writes.insertHistory(id, at, entries);
      return { ...order, placement: "placed", placed, updatedAt: at };
    }, eventOf);
    return marked ?? this.current(order.outTradeNo);
  }

  /** Returns undefined, and changes nothing, when the transition is not allowed or another order has the payment. */
  changeState(
    outTradeNo: string,
    state: Exclude<TradeState, "SUCCESS">,
    change: OrderChange,
    entries: readonly OrderEntry[],
    eventOf?: EventOf<Order>,
  ): Promise<Order | undefined> {
    return this.#update(outTradeNo, { ...change, trade_state: state }, entries, {
      from: statesBefore(state),
      eventOf,
    }).catch(undefinedIfTaken);
  }

  /**
   * Settles an order: the only way to SUCCESS, once per order. Returns undefined for an order that is not open or is held
   * because of its amount, or when another order has the payment.
   */
  async settle(
    order: Order,
    { transactionId, paidAt }: Payment,
    entries: readonly OrderEntry[],
    { reversing, inquireAgainAt, eventOf }: SettleOptions,
  ): Promise<Order | undefined> {
    const { database, now, writes, alarm } = this.#deps;
    const at = now();
    const payment = { transactionId, paidAt, nextQueryAt: inquireAgainAt, reversing };
    const times = { paidAt, settledAt: at, nextQueryAt: inquireAgainAt, updatedAt: at };
    const settled = await database.writes
      .writeWithEvent(async (): Promise<Order | undefined> => {
        const id = await writes.markSettled(order.outTradeNo, payment, at);
        if (id === undefined) return undefined;
        await writes.insertHistory(id, at, entries);
        return { ...order, ...times, tradeState: "SUCCESS", transactionId, reversing: reversing === 1 };
      }, eventOf)
      .catch(undefinedIfTaken);
    if (settled && inquireAgainAt !== undefined) alarm.setFor(inquireAgainAt);
    return settled;
  }

  /** Adds history entries that change nothing. */
  note(outTradeNo: string, entries: readonly OrderEntry[]): Promise<void> {
    const { database, writes, now } = this.#deps;
    return database.writes.write(async () => writes.insertRepeating(await writes.idOf(outTradeNo), now(), entries));
  }

  /** Returns the out_trade_no of the orders of receiver checks. */
  async ofChecks(): Promise<string[]> {
    const rows = await this.#deps.database.db
      .selectFrom("orders")
      .select("out_trade_no")
      .where("out_trade_no", "like", checkNumbers)
      .execute();
    return rows.map(({ out_trade_no }) => out_trade_no);
  }

  /** Removes an order with its refunds and its history, if a receiver check has placed it. */
  async removeOfCheck(outTradeNo: string): Promise<void> {
    await this.#deps.database.db
      .deleteFrom("orders")
      .where("out_trade_no", "=", outTradeNo)
      .where("out_trade_no", "like", checkNumbers)
      .execute();
  }

  async history(id: number): Promise<StoredEntry[]> {
    return (await this.#entriesOf(id)).map(entryView);
  }

  /** Returns the out_trade_no of orders that are due, the longest waiting first. */
  async due(at: number, limit: number): Promise<string[]> {
    const rows = await this.#deps.database.db
      .selectFrom("orders")
      .select("out_trade_no")
      .where("next_query_at", "<=", at)
      .orderBy("next_query_at")
      .limit(limit)
      .execute();
    return rows.map(({ out_trade_no }) => out_trade_no);
  }

  async nextDue(): Promise<number | undefined> {
    const row = await this.#deps.database.db
      .selectFrom("orders")
      .select("next_query_at")
      .where("next_query_at", "is not", null)
      .orderBy("next_query_at")
      .limit(1)
      .executeTakeFirst();
    return row?.next_query_at ?? undefined;
  }

  /** Makes inquiries due that lie in the future since the clock was put back. None waits longer than `longestMs`. */
  bringForward(at: number, longestMs: number): Promise<void> {
    const columns = { table: "orders", due: "next_query_at", since: "updated_at", longestMs } as const;
    return bringForward(this.#deps.database.db, columns, at);
  }

  async #update(
    outTradeNo: string,
    values: Updateable<OrdersTable>,
    entries: readonly OrderEntry[],
    { from, eventOf }: { from?: readonly TradeState[]; eventOf?: EventOf<Order> | undefined } = {},
  ): Promise<Order | undefined> {
    const { database, now, writes, alarm } = this.#deps;
    const at = now();
    const changed = await database.writes.writeWithEvent(async () => {
      const query = database.db
        .updateTable("orders")
        .set({ ...values, updated_at: at })
        .where("out_trade_no", "=", outTradeNo);
      const [row] = await database.writes.run((from ? query.where("trade_state", "in", from) : query).returningAll());
      if (!row) return undefined;
      await writes.insertHistory(row.id, at, entries);
      return toOrder(row);
    }, eventOf);
    if (typeof values.next_query_at === "number") alarm.setFor(values.next_query_at);
    return changed;
  }
}

const first = ([row]: readonly Selectable<OrdersTable>[]) => (row ? toOrder(row) : undefined);
