/** Reads orders and changes their state. A change is one conditional statement: of two rivals, one matches no row. */
import type { Expression, ExpressionBuilder, Kysely, SqlBool, Updateable } from "kysely";
import type { TradeState } from "../../../contract/provider/payment-terms.ts";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import type { TradeEvent } from "../../../contract/provider/trade-state-moves.ts";
import type { GroupedWrites, PreparedReads } from "../../../store/database.ts";
import { parameter } from "../../../store/prepared-statement.ts";
import { isWaiting } from "../../../store/waits.ts";
import { toLedgerOrder } from "./ledger-rows.ts";
import type { LedgerTables, OrderRow, PayOrdersTable } from "./ledger-tables.ts";
import type { LedgerChange, OrderKey } from "./ledger.ts";
import { refusal } from "./refusals.ts";
import { sourceStatesOf, targetOf } from "./trade-state.ts";

export type Notify = (change: LedgerChange) => void;

interface Deps {
  readonly db: Kysely<LedgerTables>;
  readonly reads: PreparedReads;
  readonly writes: GroupedWrites;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly settings: () => SimPaymentSettings;
}

interface Payment {
  readonly newTransactionId: string;
  /** Unix ms. */
  readonly paidAt: number;
  readonly bankType: string;
  /** Fen; undefined leaves what the order says. */
  readonly couponFee: number | undefined;
  /** Applies if the order does not name its payer. */
  readonly payer: string | undefined;
}

/** The payer if nobody names one. */
const somebody = "oHearthBuyerWithoutName00001";

export interface OrderTable {
  /** As it is stored: what its time has changed may be due. */
  read(key: OrderKey): Promise<Readonly<OrderRow> | undefined>;
  /** The change that is due by time alone; undefined: none. */
  lapse(row: OrderRow): "givenUp" | "closed" | undefined;
  /** Selects the orders of a state, and those that may be in it after changes that are due by time. */
  mayBe(state: TradeState): (row: ExpressionBuilder<LedgerTables, "pay_orders">) => Expression<SqlBool>;
  /** The order after changes that are due by time. Use it inside a write. @throws PaymentRefusal ORDERNOTEXIST */
  current(key: OrderKey, notify: Notify): Promise<OrderRow>;
  /** The order after changes that are due by time. Use it inside a write. */
  refresh(row: OrderRow, notify: Notify): Promise<OrderRow>;
  /** Changes the order's state if it is still as read; undefined after another change, or if the states forbid it. */
  move(
    row: OrderRow,
    event: TradeEvent,
    change: Updateable<PayOrdersTable>,
    notify: Notify,
  ): Promise<OrderRow | undefined>;
  /**
   * Moves the order whatever its state was, as long as `event` may happen in it; its deadline must not be over. For use
   * inside a step.
   */
  pay(key: OrderKey, payment: Payment, notify: Notify): Promise<OrderRow | undefined>;
}

export function createOrderTable({ db, reads, writes, now, settings }: Deps): OrderTable {
  const matching = {
    number: { mch_id: parameter<string>("mchId"), out_trade_no: parameter<string>("outTradeNo") },
    transaction: { mch_id: parameter<string>("mchId"), transaction_id: parameter<string>("transactionId") },
  };
  type Match = (typeof matching)[keyof typeof matching];

  const ofMerchant = db.selectFrom("pay_orders").selectAll().where("mch_id", "=", "");
  const byNumber = reads.prepare(ofMerchant.where("out_trade_no", "=", ""));
  const byTransaction = reads.prepare(ofMerchant.where("transaction_id", "=", ""));

  const paying = (match: Match) =>
    writes.prepare<OrderRow>(
      db
        .updateTable("pay_orders")
        .set((column) => ({
          transaction_id: parameter<string>("newTransactionId"),
          paid_at: parameter<number>("paidAt"),
          bank_type: parameter<string>("bankType"),
          coupon_fee: column.fn.coalesce(column.val(parameter<number>("couponFee")), "coupon_fee"),
          payer: column.fn.coalesce("payer", "openid", column.val(parameter<string>("payer"))),
          trade_state: targetOf("paid"),
        }))
        .where((row) => row.and(match))
        .where("trade_state", "in", [...sourceStatesOf("paid", "MICROPAY")])
        .where("expires_at", ">", parameter<number>("paidAt"))
        .returningAll(),
    );
  const payings = { number: paying(matching.number), transaction: paying(matching.transaction) };

  const wayOf = ({ transactionId }: OrderKey) => (transactionId === undefined ? "number" : "transaction");

  const read: OrderTable["read"] = async ({ mchId, outTradeNo = "", transactionId, sandbox }) => {
    const [row] = await (transactionId === undefined
      ? byNumber(mchId, outTradeNo)
      : byTransaction(mchId, transactionId));
    return sandbox === undefined || row?.sandbox === Number(sandbox) ? row : undefined;
  };

  const lapse: OrderTable["lapse"] = (row) => {
    const at = now();
    const mayType = () => isWaiting(row.password_until ?? at, settings().password_seconds * 1000, at);
    if (row.trade_state === "USERPAYING" && !mayType()) return "givenUp";
    if (row.trade_state === "NOTPAY" && row.expires_at <= at && settings().autoCloseAfterExpire) return "closed";
    return undefined;
  };

  const mayBe: OrderTable["mayBe"] = (state) => (row) => {
    const is = row("trade_state", "=", state);
    if (state === "NOTPAY") return row.or([is, row("trade_state", "=", "USERPAYING")]);
    if (state !== "CLOSED" || !settings().autoCloseAfterExpire) return is;
    const expired = row.and([row("trade_state", "in", ["NOTPAY", "USERPAYING"]), row("expires_at", "<=", now())]);
    return row.or([is, expired]);
  };

  function announced(from: TradeState, row: OrderRow, notify: Notify): OrderRow {
    notify({ kind: "order", from, order: toLedgerOrder(row) });
    return row;
  }

  const move: OrderTable["move"] = async (row, event, change, notify) => {
    if (!sourceStatesOf(event, row.trade_type).includes(row.trade_state)) return undefined;
    const moved = await db
      .updateTable("pay_orders")
      .set({ ...change, trade_state: targetOf(event) })
      .where("id", "=", row.id)
      .where("trade_state", "=", row.trade_state)
      .returningAll()
      .executeTakeFirst();
    return moved && announced(row.trade_state, moved, notify);
  };

  const refresh: OrderTable["refresh"] = async (row, notify) => {
    let latest = row;
    // An expired password time turns it into NOTPAY, whose own time may be over as well.
    if (lapse(latest) === "givenUp")
      latest = (await move(latest, "givenUp", { password_until: null }, notify)) ?? latest;
    if (lapse(latest) === "closed") latest = (await move(latest, "closed", { ended_at: now() }, notify)) ?? latest;
    return latest;
  };

  return {
    read,
    lapse,
    mayBe,
    refresh,
    move,

    async current(key, notify) {
      const row = await read(key);
      if (!row) throw refusal("ORDERNOTEXIST");
      return refresh(row, notify);
    },

    async pay(key, payment, notify) {
      const [paid] = await payings[wayOf(key)]({ ...key, ...payment, payer: payment.payer ?? somebody });
      // Only an order that waits for a password has a deadline for it.
      return paid && announced(paid.password_until === null ? "NOTPAY" : "USERPAYING", paid, notify);
    },
  };
}
