/**
 * The writes of every order's way, compiled once: building and compiling a statement costs more than running it. Whatever
 * happens seldom is written by order-store.ts as any other query.
 */
import type { CompiledQuery, Kysely } from "kysely";
import type { Entry } from "./order-history.ts";
import type { OrderHistoryTable, PaymentsTables } from "./orders-tables.ts";
import { openStates } from "./trade-states.ts";

type Db = Kysely<PaymentsTables>;

const orderColumns = [
  "user_id",
  "out_trade_no",
  "trade_type",
  "description",
  "amount",
  "client_ip",
  "idempotency_key",
  "request_hash",
  "placement",
  "trade_state",
  "amount_mismatch",
  "reversing",
  "expires_at",
  "next_query_at",
  "created_at",
  "updated_at",
] as const;

const historyColumns = [
  "order_id",
  "at",
  "kind",
  "name",
  "return_code",
  "result_code",
  "trade_state",
  "err_code",
  "http_status",
  "reason",
  "text",
] as const;

/** Values stand for the parameters only, in this order. */
const rowOf = (columns: readonly string[]) => Object.fromEntries(columns.map((column) => [column, ""])) as never;

const bound = <Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]): CompiledQuery<Row> => {
  if (query.parameters.length !== parameters.length)
    throw new Error(`${String(query.parameters.length)} parameters are needed: ${query.sql}`);
  return { ...query, parameters };
};

export interface OrderWrites {
  /** Undefined when the user has an order under this key already. */
  insertOrder(
    db: Db,
    row: Readonly<Record<(typeof orderColumns)[number], string | number | null>>,
  ): Promise<number | undefined>;
  /** True when it was there. */
  markPlaced(db: Db, id: number, placed: string, at: number): Promise<boolean>;
  /** True when it was open and not held. */
  markSettled(
    db: Db,
    id: number,
    payment: { transactionId: string; paidAt: number | null; nextQueryAt: number | null },
    at: number,
  ): Promise<boolean>;
  insertHistory(db: Db, orderId: number, at: number, entries: readonly Entry[]): Promise<void>;
  /**
   * Writes down what has changed nothing. Where the latest lines are the same, the last of them counts one more: a client
   * that asks every second, or a notification that comes ten times, must not fill the history.
   */
  insertRepeating(db: Db, orderId: number, at: number, entries: readonly Entry[]): Promise<void>;
}

const isSame = (row: Pick<OrderHistoryTable, "kind" | "name" | "reason" | "text">, entry: Entry | undefined) =>
  row.kind === entry?.kind && row.name === entry.name && row.reason === entry.reason && row.text === entry.text;

export function createOrderWrites(db: Db): OrderWrites {
  const insertOrder = db
    .insertInto("orders")
    .values(rowOf(orderColumns))
    .onConflict((conflict) => conflict.columns(["user_id", "idempotency_key"]).doNothing())
    .returning("id")
    .compile();
  const markPlaced = db
    .updateTable("orders")
    .set({ placement: "placed", placed: "", updated_at: 0 })
    .where("id", "=", 0)
    .compile();
  const markSettled = db
    .updateTable("orders")
    .set({
      trade_state: "SUCCESS",
      transaction_id: "",
      paid_at: 0,
      settled_at: 0,
      next_query_at: 0,
      reversing: 0,
      updated_at: 0,
    })
    .where("id", "=", 0)
    .where("trade_state", "in", openStates)
    .where("amount_mismatch", "=", 0)
    .compile();
  /** By the number of lines. */
  const histories = new Map<number, CompiledQuery>();
  const historyOf = (lines: number): CompiledQuery => {
    const rows = Array.from({ length: lines }, () => rowOf(historyColumns));
    const query = histories.get(lines) ?? db.insertInto("order_history").values(rows).compile();
    histories.set(lines, query);
    return query;
  };

  async function insertHistory(trx: Db, orderId: number, at: number, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const values = entries.flatMap((entry) => [
      ...[orderId, at, entry.kind, entry.name, entry.returnCode ?? null, entry.resultCode ?? null],
      ...[entry.tradeState ?? null, entry.errCode ?? null, entry.httpStatus ?? null, entry.reason, entry.text],
    ]);
    await trx.executeQuery(bound(historyOf(entries.length), values));
  }

  return {
    async insertOrder(trx, row) {
      const { rows } = await trx.executeQuery(
        bound(
          insertOrder,
          orderColumns.map((column) => row[column]),
        ),
      );
      return rows[0]?.id;
    },

    async markPlaced(trx, id, placed, at) {
      const { numAffectedRows } = await trx.executeQuery(bound(markPlaced, ["placed", placed, at, id]));
      return numAffectedRows === 1n;
    },

    async markSettled(trx, id, { transactionId, paidAt, nextQueryAt }, at) {
      const values = ["SUCCESS", transactionId, paidAt, at, nextQueryAt, 0, at, id, ...openStates, 0];
      const { numAffectedRows } = await trx.executeQuery(bound(markSettled, values));
      return numAffectedRows === 1n;
    },

    insertHistory,

    async insertRepeating(trx, orderId, at, entries) {
      const latest = await trx
        .selectFrom("order_history")
        .select(["id", "kind", "name", "reason", "text"])
        .where("order_id", "=", orderId)
        .orderBy("id", "desc")
        .limit(entries.length)
        .execute();
      const [last] = latest;
      if (!last || latest.length < entries.length || !latest.toReversed().every((row, i) => isSame(row, entries[i])))
        return insertHistory(trx, orderId, at, entries);
      await trx
        .updateTable("order_history")
        .set((e) => ({ times: e("times", "+", 1), at }))
        .where("id", "=", last.id)
        .execute();
    },
  };
}
