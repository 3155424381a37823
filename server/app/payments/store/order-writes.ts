/**
 * The frequent writes of orders, compiled once, because building and compiling a statement costs more than running it.
 * order-store.ts has the rare ones as plain queries.
 */
import { storedText } from "./stored-text.ts";
import { refuse } from "../../../http/http-error.ts";
import type { Database } from "../../../store/database.ts";
import { parameter, parameterRow } from "../../../store/prepared-statement.ts";
import { faultMarksText } from "../../../contract/fault-mark.ts";
import { faultsOf } from "../../../trace/fault-hits.ts";
import { traceColumns } from "../../../trace/span.ts";
import type { OrderEntry } from "./order-history.ts";
import type { OrderHistoryTable, PaymentsTables } from "./orders-tables.ts";
import { openStates } from "./trade-states.ts";

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
  "trace_id",
  "span_id",
  "parent_id",
  "faults",
] as const;

/** A reset has removed the order, perhaps while a call about it was under way. */
export const gone = (outTradeNo: string) => refuse("order.none", { id: outTradeNo });

const isSame = (row: Pick<OrderHistoryTable, "kind" | "name" | "reason" | "text">, entry: OrderEntry | undefined) =>
  row.kind === entry?.kind &&
  row.name === entry.name &&
  row.reason === entry.reason &&
  row.text === storedText(entry.text);

/**
 * All must be called inside of a write of `GroupedWrites`. Orders are found by their out_trade_no, because ids begin at 1
 * again after a reset: a call that is under way then would write to the next order of its id.
 */
export class OrderWrites {
  readonly #database: Database<PaymentsTables>;
  readonly #insertOrder;
  readonly #idOf;
  readonly #markPlaced;
  readonly #markSettled;
  readonly #insertEntry;

  constructor(database: Database<PaymentsTables>) {
    this.#database = database;
    const { db, writes } = database;
    this.#insertOrder = writes.prepare(
      db
        .insertInto("orders")
        .values(parameterRow(orderColumns))
        .onConflict((conflict) => conflict.columns(["user_id", "idempotency_key"]).doNothing())
        .returning("id"),
    );
    this.#idOf = writes.prepare(
      db.selectFrom("orders").select("id").where("out_trade_no", "=", parameter<string>("outTradeNo")),
    );
    this.#markPlaced = writes.prepare(
      db
        .updateTable("orders")
        .set({ placement: "placed", placed: parameter("placed"), updated_at: parameter("at") })
        .where("out_trade_no", "=", parameter<string>("outTradeNo"))
        .where("placement", "!=", "placed")
        .returning("id"),
    );
    this.#markSettled = writes.prepare(
      db
        .updateTable("orders")
        .set({
          trade_state: "SUCCESS",
          transaction_id: parameter("transactionId"),
          paid_at: parameter("paidAt"),
          settled_at: parameter("at"),
          next_query_at: parameter("nextQueryAt"),
          reversing: parameter("reversing"),
          updated_at: parameter("at"),
        })
        .where("out_trade_no", "=", parameter<string>("outTradeNo"))
        .where("trade_state", "in", openStates)
        .where("amount_mismatch", "=", 0)
        .returning("id"),
    );
    this.#insertEntry = writes.prepare(db.insertInto("order_history").values(parameterRow(historyColumns)));
  }

  /** Undefined when the user already has an order under this key. */
  async insertOrder(
    row: Readonly<Record<(typeof orderColumns)[number], string | number | null>>,
  ): Promise<number | undefined> {
    return (await this.#insertOrder(row))[0]?.id;
  }

  /** @throws HttpError 404 as `gone` */
  async idOf(outTradeNo: string): Promise<number> {
    const [row] = await this.#idOf({ outTradeNo });
    if (!row) throw gone(outTradeNo);
    return row.id;
  }

  /** Returns its id; undefined when it was placed before. */
  async markPlaced(outTradeNo: string, placed: string, at: number): Promise<number | undefined> {
    return (await this.#markPlaced({ outTradeNo, placed, at }))[0]?.id;
  }

  /** Returns its id; undefined when it was not open, or held. */
  async markSettled(
    outTradeNo: string,
    payment: { transactionId: string; paidAt: number | undefined; nextQueryAt: number | undefined; reversing: 0 | 1 },
    at: number,
  ): Promise<number | undefined> {
    return (await this.#markSettled({ outTradeNo, ...payment, at }))[0]?.id;
  }

  async insertHistory(orderId: number, at: number, entries: readonly OrderEntry[]): Promise<void> {
    for (const entry of entries)
      await this.#insertEntry({
        order_id: orderId,
        at: entry.at ?? at,
        kind: entry.kind,
        name: entry.name,
        return_code: entry.returnCode,
        result_code: entry.resultCode,
        trade_state: entry.tradeState,
        err_code: entry.errCode,
        http_status: entry.httpStatus,
        reason: entry.reason,
        text: storedText(entry.text),
        ...traceColumns(),
        faults: faultMarksText(faultsOf()),
      });
  }

  /**
   * Adds history entries that change nothing. If they equal the latest ones, a counter is raised instead: a client that
   * asks every second, or a repeated notification, must not fill the history.
   */
  async insertRepeating(orderId: number, at: number, entries: readonly OrderEntry[]): Promise<void> {
    const { db, writes } = this.#database;
    const latest = await writes.run(
      db
        .selectFrom("order_history")
        .select(["id", "kind", "name", "reason", "text"])
        .where("order_id", "=", orderId)
        .orderBy("id", "desc")
        .limit(entries.length),
    );
    const [last] = latest;
    if (!last || latest.length < entries.length || !latest.toReversed().every((row, i) => isSame(row, entries[i])))
      return this.insertHistory(orderId, at, entries);
    await writes.run(
      db
        .updateTable("order_history")
        .set((e) => ({ times: e("times", "+", 1), at }))
        .where("id", "=", last.id),
    );
  }
}
