/** The orders and their histories in the database. Each change and what is written down of it are one transaction. */
import type { Kysely, Selectable, Updateable } from "kysely";
import type { HistoryEntry, OrderListQuery } from "../../contract/payments.ts";
import type { TradeState, TradeType } from "../../contract/payment-terms.ts";
import type { PreparedReads } from "../../store/prepared-reads.ts";
import { insertHistory, insertRepeating, shownEntry, type Entry } from "./order-history.ts";
import type { OrdersTable, PaymentsTables, Placement } from "./orders-tables.ts";
import type { PlacedOrder } from "./provider-client.ts";
import { openStates, statesBefore } from "./trade-states.ts";

export interface Order {
  readonly id: number;
  readonly userId: number;
  readonly outTradeNo: string;
  readonly tradeType: TradeType;
  readonly description: string;
  /** Fen. */
  readonly amount: number;
  readonly clientIp: string;
  readonly requestHash: string;
  readonly placement: Placement;
  readonly placed: PlacedOrder | undefined;
  readonly refusal: { readonly code: string; readonly description: string } | undefined;
  readonly tradeState: TradeState;
  readonly amountMismatch: boolean;
  readonly reversing: boolean;
  readonly transactionId: string | undefined;
  /** These are Unix ms. */
  readonly paidAt: number | undefined;
  readonly settledAt: number | undefined;
  readonly expiresAt: number;
  readonly nextQueryAt: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NewOrder {
  readonly userId: number;
  readonly outTradeNo: string;
  readonly tradeType: TradeType;
  readonly description: string;
  readonly amount: number;
  readonly clientIp: string;
  readonly idempotencyKey: string | undefined;
  readonly requestHash: string;
  readonly expiresAt: number;
  readonly nextQueryAt: number;
}

/** What changes beside the state, which has ways of its own. */
export type OrderChange = Omit<Updateable<OrdersTable>, "id" | "trade_state" | "settled_at" | "updated_at">;

export interface Payment {
  readonly transactionId: string;
  readonly paidAt: number | undefined;
}

export interface OrderStore {
  /** Undefined when the user has an order under this key already. */
  create(order: NewOrder, entries: readonly Entry[]): Promise<Order | undefined>;
  get(id: number): Order | undefined;
  byOutTradeNo(outTradeNo: string): Order | undefined;
  byKey(userId: number, key: string): Promise<Order | undefined>;
  ofUser(userId: number, query: OrderListQuery): Promise<{ orders: Order[]; total: number }>;
  change(id: number, change: OrderChange, entries: readonly Entry[]): Promise<Order>;
  /** Undefined, and nothing is changed, where the order's state may not become this one. */
  changeState(
    id: number,
    state: Exclude<TradeState, "SUCCESS">,
    change: OrderChange,
    entries: readonly Entry[],
  ): Promise<Order | undefined>;
  /**
   * The one way to SUCCESS, and it is gone once and for all: undefined for an order that is not open, or is held because of
   * its amount, or where the payment has settled another order.
   */
  settle(id: number, payment: Payment, change: OrderChange, entries: readonly Entry[]): Promise<Order | undefined>;
  /** Writes down what has changed nothing. */
  note(id: number, entries: readonly Entry[]): Promise<void>;
  history(id: number): Promise<HistoryEntry[]>;
  /** Those whose time has come, the longest waiting first. */
  due(now: number, limit: number): Promise<number[]>;
  nextDue(): Promise<number | undefined>;
}

const isTaken = (error: unknown) => (error as { code?: unknown }).code === "SQLITE_CONSTRAINT_UNIQUE";

export function toOrder(row: Selectable<OrdersTable>): Order {
  return {
    id: row.id,
    userId: row.user_id,
    outTradeNo: row.out_trade_no,
    tradeType: row.trade_type,
    description: row.description,
    amount: row.amount,
    clientIp: row.client_ip,
    requestHash: row.request_hash,
    placement: row.placement,
    placed: row.placed === null ? undefined : (JSON.parse(row.placed) as PlacedOrder),
    refusal: row.err_code === null ? undefined : { code: row.err_code, description: row.err_text ?? "" },
    tradeState: row.trade_state,
    amountMismatch: row.amount_mismatch === 1,
    reversing: row.reversing === 1,
    transactionId: row.transaction_id ?? undefined,
    paidAt: row.paid_at ?? undefined,
    settledAt: row.settled_at ?? undefined,
    expiresAt: row.expires_at,
    nextQueryAt: row.next_query_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

interface Deps {
  readonly db: Kysely<PaymentsTables>;
  readonly reads: PreparedReads;
  readonly now: () => number;
  /** Hears when an order is to be looked at again, in Unix ms. */
  readonly expect: (at: number) => void;
}

export function createOrderStore({ db, reads, now, expect }: Deps): OrderStore {
  const byId = reads.prepare(db.selectFrom("orders").selectAll().where("id", "=", 0));
  const byNumber = reads.prepare(db.selectFrom("orders").selectAll().where("out_trade_no", "=", ""));
  const first = ([row]: readonly Selectable<OrdersTable>[]) => (row ? toOrder(row) : undefined);

  async function update(
    id: number,
    values: Updateable<OrdersTable>,
    entries: readonly Entry[],
    guard?: { from: readonly TradeState[]; held: boolean },
  ): Promise<Order | undefined> {
    const at = now();
    const changed = await db.transaction().execute(async (trx) => {
      let query = trx
        .updateTable("orders")
        .set({ ...values, updated_at: at })
        .where("id", "=", id);
      if (guard) query = query.where("trade_state", "in", guard.from);
      if (guard && !guard.held) query = query.where("amount_mismatch", "=", 0);
      const row = await query.returningAll().executeTakeFirst();
      if (!row) return undefined;
      await insertHistory(trx, id, at, entries);
      return toOrder(row);
    });
    if (typeof values.next_query_at === "number") expect(values.next_query_at);
    return changed;
  }

  return {
    async create(order, entries) {
      const at = now();
      const created = await db.transaction().execute(async (trx) => {
        const row = await trx
          .insertInto("orders")
          .values({
            user_id: order.userId,
            out_trade_no: order.outTradeNo,
            trade_type: order.tradeType,
            description: order.description,
            amount: order.amount,
            client_ip: order.clientIp,
            idempotency_key: order.idempotencyKey ?? null,
            request_hash: order.requestHash,
            placement: "pending",
            trade_state: "NOTPAY",
            amount_mismatch: 0,
            reversing: 0,
            expires_at: order.expiresAt,
            next_query_at: order.nextQueryAt,
            created_at: at,
            updated_at: at,
          })
          .onConflict((conflict) => conflict.columns(["user_id", "idempotency_key"]).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (!row) return undefined;
        await insertHistory(trx, row.id, at, entries);
        return toOrder(row);
      });
      expect(order.nextQueryAt);
      return created;
    },

    get: (id) => first(byId(id)),
    byOutTradeNo: (outTradeNo) => first(byNumber(outTradeNo)),

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

    async change(id, change, entries) {
      const changed = await update(id, change, entries);
      if (!changed) throw new Error(`the order ${String(id)} is gone`);
      return changed;
    },

    changeState: (id, state, change, entries) =>
      update(id, { ...change, trade_state: state }, entries, { from: statesBefore(state), held: true }),

    async settle(id, { transactionId, paidAt }, change, entries) {
      const values = {
        ...change,
        trade_state: "SUCCESS",
        transaction_id: transactionId,
        paid_at: paidAt ?? null,
        settled_at: now(),
        next_query_at: null,
      } as const;
      return update(id, values, entries, { from: openStates, held: false }).catch((error: unknown) => {
        if (isTaken(error)) return undefined;
        throw error;
      });
    },

    note: (id, entries) => insertRepeating(db, id, now(), entries),

    async history(id) {
      const rows = await db.selectFrom("order_history").selectAll().where("order_id", "=", id).orderBy("id").execute();
      return rows.map(shownEntry);
    },

    async due(at, limit) {
      const rows = await db
        .selectFrom("orders")
        .select("id")
        .where("next_query_at", "<=", at)
        .orderBy("next_query_at")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

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
