import type { Expression, ExpressionBuilder, Kysely, SqlBool, Updateable } from "kysely";
import type { PaymentFailure, TradeState } from "../../../contract/provider/payment-terms.ts";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import type { TradeEvent } from "../../../contract/provider/trade-state-moves.ts";
import type { Database } from "../../../store/database.ts";
import { parameter } from "../../../store/prepared-statement.ts";
import { isWaiting } from "../../../store/waits.ts";
import { linesOfPayment } from "../book/base-postings.ts";
import type { Book } from "../book/book.ts";
import { ownerOf } from "../partner/sub-merchant.ts";
import type { Holds } from "./holds.ts";
import { couponSharer } from "./coupon-parts.ts";
import { newTransactionId } from "./ledger-ids.ts";
import { toLedgerOrder } from "./ledger-rows.ts";
import type { LedgerTables, OrderRow, PayOrdersTable } from "./ledger-tables.ts";
import type { Notify } from "./commits.ts";
import type { FailedAttempt, Order, OrderKey } from "./ledger.ts";
import { refusal } from "./refusals.ts";
import { sourceStatesOf, targetOf } from "./trade-state.ts";

interface Deps extends Pick<Database<LedgerTables>, "db" | "reads" | "writes"> {
  readonly book: Book;
  readonly holds: Holds;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly settings: () => SimPaymentSettings;
}

const partsOf = (db: Kysely<LedgerTables>, combined: number) =>
  db.selectFrom("pay_orders").selectAll().where("combined", "=", combined).orderBy("id");

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

/** The maximum number of failed attempts shown per order. */
const mostAttempts = 100;

/** The payer if nobody names one. */
const somebody = "oHearthBuyerWithoutName00001";

function prepareReads({ db, reads }: Deps) {
  const ofMerchant = db.selectFrom("pay_orders").selectAll().where("mch_id", "=", "");
  return {
    byNumber: reads.prepare(ofMerchant.where("out_trade_no", "=", "")),
    byTransaction: reads.prepare(ofMerchant.where("transaction_id", "=", "")),
  };
}

/** Statements that pay the order with a number, if its state and its deadline allow it. */
function preparePayments({ db, writes }: Deps) {
  const payBy = (column: "out_trade_no" | "transaction_id", name: keyof OrderKey) =>
    writes.prepare<OrderRow>(
      db
        .updateTable("pay_orders")
        .set((e) => ({
          transaction_id: e.fn.coalesce("transaction_id", e.val(parameter<string>("newTransactionId"))),
          paid_at: parameter<number>("paidAt"),
          bank_type: parameter<string>("bankType"),
          coupon_fee: e.fn.coalesce(e.val(parameter<number>("couponFee")), "coupon_fee"),
          payer: e.fn.coalesce("payer", "openid", e.val(parameter<string>("payer"))),
          trade_state: targetOf("paid"),
        }))
        .where("mch_id", "=", parameter<string>("mchId"))
        .where(column, "=", parameter<string>(name))
        .where("trade_state", "in", [...sourceStatesOf("paid", "MICROPAY")])
        .where("expires_at", ">", parameter<number>("paidAt"))
        .where((e) => e.or([e("combined", "is", null), e("combined", "=", 0)]))
        .returningAll(),
    );
  return { byNumber: payBy("out_trade_no", "outTradeNo"), byTransaction: payBy("transaction_id", "transactionId") };
}

function announced(from: TradeState, row: OrderRow, notify: Notify, parts?: readonly OrderRow[]): Order {
  const order = toLedgerOrder(row, parts);
  notify({ kind: "order", from, order });
  return order;
}

/** Reads orders and changes their state. A change is one conditional statement: of two rivals, one matches no row. */
export class OrderTable {
  readonly #deps: Deps;
  readonly #reads: ReturnType<typeof prepareReads>;
  readonly #payments: ReturnType<typeof preparePayments>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#reads = prepareReads(deps);
    this.#payments = preparePayments(deps);
  }

  /** The order as it is stored: changes that are due by time may be missing. */
  async read({
    mchId,
    outTradeNo = "",
    transactionId,
    sandbox,
    combined,
  }: OrderKey): Promise<Readonly<OrderRow> | undefined> {
    const [row] = await (transactionId === undefined
      ? this.#reads.byNumber(mchId, outTradeNo)
      : this.#reads.byTransaction(mchId, transactionId));
    if (combined) return row?.combined === 0 ? row : undefined;
    if (sandbox === undefined) return row;
    return row?.sandbox === Number(sandbox) && row.combined !== 0 ? row : undefined;
  }

  /** The order after changes that are due by time. Use it inside a write. @throws PaymentRefusal ORDERNOTEXIST */
  async current(key: OrderKey, notify: Notify): Promise<OrderRow> {
    const row = await this.read(key);
    if (!row) throw refusal("ORDERNOTEXIST");
    return this.refresh(row, notify);
  }

  /** The change that is due by time alone; undefined: none. */
  lapse(row: OrderRow): "givenUp" | "closed" | undefined {
    const { now, settings } = this.#deps;
    const at = now();
    const mayType = () => isWaiting(row.password_until ?? at, settings().password_seconds * 1000, at);
    if (row.trade_state === "USERPAYING" && !mayType()) return "givenUp";
    const closes = row.version === "alipay" || settings().autoCloseAfterExpire;
    if (row.trade_state === "NOTPAY" && row.expires_at <= at && closes) return "closed";
    return undefined;
  }

  /** Selects the orders of a state, and those that may be in it after changes that are due by time. */
  mayBe(state: TradeState): (row: ExpressionBuilder<LedgerTables, "pay_orders">) => Expression<SqlBool> {
    const { now, settings } = this.#deps;
    return (row) => {
      const is = row("trade_state", "=", state);
      if (state === "NOTPAY") return row.or([is, row("trade_state", "=", "USERPAYING")]);
      if (state !== "CLOSED") return is;
      const expired = row.and([row("trade_state", "in", ["NOTPAY", "USERPAYING"]), row("expires_at", "<=", now())]);
      return row.or([
        is,
        settings().autoCloseAfterExpire ? expired : row.and([expired, row("version", "=", "alipay")]),
      ]);
    };
  }

  /**
   * The order as `current`, to be paid or ended by itself. Use it inside a write.
   * @throws PaymentRefusal ORDERNOTEXIST, INVALID_REQUEST for a part of a combined order
   */
  async currentWhole(key: OrderKey, notify: Notify): Promise<OrderRow> {
    const row = await this.current(key, notify);
    if (row.combined) throw refusal("INVALID_REQUEST", "合单支付的子单须通过合单商户订单号操作");
    return row;
  }

  /** The order after changes that are due by time. Use it inside a write. */
  async refresh(row: OrderRow, notify: Notify): Promise<OrderRow> {
    let latest = row;
    // An expired password time turns it into NOTPAY, whose own time may be over as well.
    if (this.lapse(latest) === "givenUp")
      latest = (await this.move(latest, "givenUp", { password_until: null }, notify)) ?? latest;
    if (this.lapse(latest) === "closed") {
      for (const part of (await this.partsOf(latest)) ?? []) await this.refresh(part, notify);
      latest = (await this.move(latest, "closed", { ended_at: this.#deps.now() }, notify)) ?? latest;
    }
    return latest;
  }

  /** Changes the order's state if it is still as read; undefined after another change, or if the states forbid it. */
  async move(
    row: OrderRow,
    event: TradeEvent,
    change: Updateable<PayOrdersTable>,
    notify: Notify,
    db: Kysely<LedgerTables> = this.#deps.db,
  ): Promise<OrderRow | undefined> {
    if (!sourceStatesOf(event, row.trade_type).includes(row.trade_state)) return undefined;
    const moved = await db
      .updateTable("pay_orders")
      .set({ ...change, trade_state: targetOf(event) })
      .where("id", "=", row.id)
      .where("trade_state", "=", row.trade_state)
      .returningAll()
      .executeTakeFirst();
    if (moved) announced(row.trade_state, moved, notify, await this.partsOf(moved, db));
    return moved;
  }

  /**
   * Moves the order whatever its state was, as long as it can be paid in it; its deadline must not be over. For use inside
   * a step.
   */
  async pay(key: OrderKey, payment: Payment, notify: Notify): Promise<Order | undefined> {
    const { byNumber, byTransaction } = this.#payments;
    const pay = key.transactionId === undefined ? byNumber : byTransaction;
    const [paid] = await pay({ ...key, ...payment, payer: payment.payer ?? somebody });
    if (!paid) return undefined;
    const parts = paid.combined === 0 ? await this.#payParts(paid) : undefined;
    if (!parts) await this.bookPayment(paid);
    for (const part of parts ?? []) announced("NOTPAY", part, notify);
    // Only an order that waits for a password has a deadline for it.
    return announced(paid.password_until === null ? "NOTPAY" : "USERPAYING", paid, notify, parts);
  }

  /** Pays and books the parts of a combined order, each with its share of the coupons. Use it inside a step. */
  async #payParts(whole: OrderRow): Promise<OrderRow[]> {
    const { db, writes } = this.#deps;
    const { paid_at, bank_type, payer } = whole;
    const coupons = couponSharer(whole);
    const parts: OrderRow[] = [];
    for (const part of await writes.run(partsOf(db, whole.id))) {
      const [paid] = await writes.run(
        db
          .updateTable("pay_orders")
          .set({ paid_at, bank_type, payer, transaction_id: newTransactionId(paid_at ?? 0) })
          .set({ coupon_fee: coupons(part.total), trade_state: targetOf("paid") })
          .where("id", "=", part.id)
          .where("trade_state", "=", "NOTPAY")
          .returningAll(),
      );
      if (!paid) throw refusal("FREQUENCY_LIMITED");
      await this.bookPayment(paid);
      parts.push(paid);
    }
    return parts;
  }

  /** The parts of a combined order, as they are stored; undefined for other orders. */
  async partsOf({ id, combined }: OrderRow, db: Kysely<LedgerTables> = this.#deps.db): Promise<OrderRow[] | undefined> {
    return combined === 0 ? partsOf(db, id).execute() : undefined;
  }

  /** Books a paid order; the sandbox has no money. Use it inside a step. */
  async bookPayment(row: OrderRow): Promise<void> {
    if (row.sandbox === 1) return;
    const { book, holds } = this.#deps;
    const { id: orderId, mch_id: mchId, total, coupon_fee: couponFee } = row;
    const lines = linesOfPayment({ owner: ownerOf(row), total, couponFee, isFrozen: await holds.begin(row) });
    const posting = { kind: "payment", mchId, subject: row.transaction_id ?? "", orderId, lines };
    await book.postInWrite({ ...posting, at: row.paid_at ?? undefined });
  }

  /** Records that the buyer's attempt has failed. Use it inside a write. */
  async recordFailure(row: OrderRow, reason: PaymentFailure, notify: Notify): Promise<void> {
    const { db, now } = this.#deps;
    await db.insertInto("pay_failures").values({ order_id: row.id, at: now(), reason }).execute();
    notify({ kind: "failure", reason, order: toLedgerOrder(row) });
  }

  /** The latest, oldest first. */
  async failedAttempts(orderId: number): Promise<FailedAttempt[]> {
    const latest = this.#deps.db.selectFrom("pay_failures").select(["at", "reason"]).where("order_id", "=", orderId);
    return (await latest.orderBy("id", "desc").limit(mostAttempts).execute()).toReversed();
  }

  /** Ends the order's time to pay. Use it inside a write. */
  async expire(row: OrderRow, notify: Notify): Promise<OrderRow> {
    const { db, now } = this.#deps;
    const expires_at = Math.min(row.expires_at, now());
    await db
      .updateTable("pay_orders")
      .set({ expires_at })
      .where((e) =>
        row.combined === 0 ? e.or([e("id", "=", row.id), e("combined", "=", row.id)]) : e("id", "=", row.id),
      )
      .execute();
    return this.refresh({ ...row, expires_at }, notify);
  }
}
