import type { Kysely, Transaction } from "kysely";
import type { RefundStatus } from "../../../contract/provider/payment-terms.ts";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import { currentTraceparent } from "../../../trace/span.ts";
import { isYounger } from "../../../process/age.ts";
import { linesOfRefund } from "../book/base-postings.ts";
import { availableOf, frozenOf, type Book, type Posting } from "../book/book.ts";
import { ownerOf } from "../partner/sub-merchant.ts";
import { cashOfRefund, couponPart } from "./coupon-parts.ts";
import type { Holds } from "./holds.ts";
import { newRefundId } from "./ledger-ids.ts";
import { toLedgerOrder, toRefund } from "./ledger-rows.ts";
import type { LedgerTables, OrderRow, RefundRow } from "./ledger-tables.ts";
import type { Order, OrderKey, PaymentRefusal, Refund, RefundKey, RefundRequest } from "./ledger.ts";
import type { Notify } from "./commits.ts";
import type { OrderTable } from "./order-table.ts";
import { refusal } from "./refusals.ts";
import { allowsEvent, targetOf } from "./trade-state.ts";

const maxRefunds = 50;
const refundableMs = 365 * 24 * 3_600_000;

interface Deps {
  readonly book: Book;
  readonly holds: Holds;
  readonly db: Kysely<LedgerTables>;
  readonly orders: OrderTable;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly settings: () => SimPaymentSettings;
}

interface Ending {
  readonly status: Exclude<RefundStatus, "PROCESSING">;
  /** Only if it was not accepted again since then. */
  readonly acceptedAt?: number | undefined;
}

/** @throws PaymentRefusal REFUNDNOTEXIST */
async function byId(db: Kysely<LedgerTables>, refundId: string): Promise<RefundRow> {
  const row = await db.selectFrom("pay_refunds").selectAll().where("refund_id", "=", refundId).executeTakeFirst();
  if (!row) throw refusal("REFUNDNOTEXIST");
  return row;
}

const orderOf = (db: Kysely<LedgerTables>, { order_id }: RefundRow) =>
  db.selectFrom("pay_orders").selectAll().where("id", "=", order_id).executeTakeFirstOrThrow();

/** Fen of an order that returned before, except by closed refunds; `refunded` includes the coupons' part. */
async function returnedBefore(trx: Transaction<LedgerTables>, { id, refunded }: OrderRow) {
  const { fen } = await trx
    .selectFrom("pay_refunds")
    .select((column) => column.fn.sum("coupon_fee").as("fen"))
    .where("order_id", "=", id)
    .where("status", "!=", "CLOSED")
    .executeTakeFirstOrThrow();
  return { refunded, couponFee: Number(fen) };
}

/** A closed refund has moved no money, so its amount returns to the order and the merchant. */
async function undo(
  trx: Transaction<LedgerTables>,
  { book, holds }: Pick<Deps, "book" | "holds">,
  row: RefundRow,
): Promise<void> {
  const order = await trx
    .updateTable("pay_orders")
    .set((column) => ({ refunded: column("refunded", "-", row.refund) }))
    .where("id", "=", row.order_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const mchId = ownerOf(order);
  const isHeld = await holds.isHeld(order.id, trx);
  const charges = [{ mchId, fen: -cashOfRefund(toRefund(row)) }];
  await book.undo(trx, refundKey(row), { kind: "refund closed", charges }, (account) =>
    account === frozenOf(mchId) && !isHeld ? availableOf(mchId) : account,
  );
}

/** @throws PaymentRefusal FREQUENCY_LIMITED after another change of the order */
async function countRefund(trx: Transaction<LedgerTables>, order: OrderRow, refund: number, at: number) {
  const moved = await trx
    .updateTable("pay_orders")
    .set({
      trade_state: targetOf("refunded"),
      refunded: order.refunded + refund,
      refund_count: order.refund_count + 1,
      last_refund_at: at,
    })
    .where("id", "=", order.id)
    .where("trade_state", "=", order.trade_state)
    .where("refunded", "=", order.refunded)
    .returningAll()
    .executeTakeFirst();
  if (!moved) throw refusal("FREQUENCY_LIMITED");
  return moved;
}

const insertRefund = (
  trx: Transaction<LedgerTables>,
  order: OrderRow,
  request: RefundRequest,
  couponFee: number,
  at: number,
) =>
  trx
    .insertInto("pay_refunds")
    .values({
      mch_id: order.mch_id,
      order_id: order.id,
      out_refund_no: request.outRefundNo,
      refund_id: newRefundId(at),
      total: request.total,
      refund: request.refund,
      currency: request.currency,
      reason: request.reason ?? null,
      notify_url: request.notifyUrl ?? null,
      notify_from: request.notifyFrom ?? null,
      caused_by: currentTraceparent() ?? null,
      account: request.account ?? null,
      version: request.version,
      status: "PROCESSING",
      coupon_fee: couponFee,
      created_at: at,
      finished_at: null,
      paid_to: null,
      redirected_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** The posting of a refund. */
const refundKey = (row: RefundRow) => ({ mchId: row.mch_id, kind: "refund", subject: row.refund_id });

/** @param cashBefore fen of the merchant's money that returned before @param frozen fen that are spent first */
function postingOf(row: RefundRow, owner: string, cashBefore: number, frozen: number): Posting {
  const { order_id: orderId, refund, coupon_fee: couponFee, created_at: at } = row;
  const lines = linesOfRefund({ owner, refund, couponFee, cashBefore, frozen });
  const charges = [{ mchId: owner, fen: cashOfRefund({ refund, couponFee }) }];
  return { ...refundKey(row), orderId, at, lines, charges };
}

/** Refunds: each is made once, and all together never exceed the payment. */
export class RefundTable {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async refund(key: OrderKey, request: RefundRequest, notify: Notify): Promise<{ refund: Refund; order: Order }> {
    const order = await this.#deps.orders.current(key, notify);
    const before = await this.#deps.db
      .selectFrom("pay_refunds")
      .selectAll()
      .where("mch_id", "=", key.mchId)
      .where("out_refund_no", "=", request.outRefundNo)
      .executeTakeFirst();
    if (before) return { refund: toRefund(sameRefund(before, order, request)), order: toLedgerOrder(order) };
    const refused = this.#whyNot(order, request);
    if (refused) throw refused;
    const accepted = await this.#accept(order, request);
    const result = { refund: toRefund(accepted.refund), order: toLedgerOrder(accepted.order) };
    if (order.trade_state !== accepted.order.trade_state)
      notify({ kind: "order", from: order.trade_state, order: result.order });
    notify({ kind: "refund", from: undefined, ...result });
    return result;
  }

  async finish(refundId: string, { status, acceptedAt }: Ending, notify: Notify): Promise<Refund> {
    const { db, now } = this.#deps;
    const finished = await db.transaction().execute(async (trx) => {
      const refund = await trx
        .updateTable("pay_refunds")
        .set({ status, finished_at: now() })
        .where("refund_id", "=", refundId)
        .where("status", "=", "PROCESSING")
        .$if(acceptedAt !== undefined, (own) =>
          own.where((row) => row.fn.coalesce("redirected_at", "created_at"), "=", acceptedAt ?? 0),
        )
        .returningAll()
        .executeTakeFirst();
      if (refund && status === "CLOSED") await undo(trx, this.#deps, refund);
      return refund && { refund: toRefund(refund), order: toLedgerOrder(await orderOf(trx, refund)) };
    });
    if (finished) {
      notify({ kind: "refund", from: "PROCESSING", ...finished });
      return finished.refund;
    }
    const before = await byId(db, refundId);
    if (before.status !== status) throw refusal("TRADE_ERROR", `退款已结束：${before.status}`);
    return toRefund(before);
  }

  async redirect(refundId: string, paidTo: string, notify: Notify): Promise<Refund> {
    const { db, now } = this.#deps;
    const row = await db
      .updateTable("pay_refunds")
      .set({ status: "PROCESSING", finished_at: null, paid_to: paidTo, redirected_at: now() })
      .where("refund_id", "=", refundId)
      .where("status", "=", "ABNORMAL")
      .returningAll()
      .executeTakeFirst();
    if (row) {
      const refund = toRefund(row);
      notify({ kind: "refund", from: "ABNORMAL", refund, order: toLedgerOrder(await orderOf(db, row)) });
      return refund;
    }
    const before = await byId(db, refundId);
    if (before.paid_to !== paidTo) throw refusal("INVALID_REQUEST", `退款状态为${before.status}，不能发起异常退款`);
    return toRefund(before);
  }

  /** One refund (`refundId`, else `outRefundNo`) or all of an order, oldest first. */
  async list({ outRefundNo, refundId, ...key }: RefundKey): Promise<Refund[]> {
    const own = this.#refundsOf(key);
    if (refundId !== undefined) return (await own.where("refund_id", "=", refundId).execute()).map(toRefund);
    if (outRefundNo !== undefined) return (await own.where("out_refund_no", "=", outRefundNo).execute()).map(toRefund);
    const order = await this.#deps.orders.read(key);
    if (!order) return [];
    return (await own.where("order_id", "=", order.id).orderBy("id").execute()).map(toRefund);
  }

  #refundsOf({ mchId, sandbox }: OrderKey) {
    const all = this.#deps.db.selectFrom("pay_refunds").selectAll().where("mch_id", "=", mchId);
    if (sandbox === undefined) return all;
    return all.where((refund) =>
      refund.exists(
        refund
          .selectFrom("pay_orders")
          .select("pay_orders.id")
          .whereRef("pay_orders.id", "=", "pay_refunds.order_id")
          .where("pay_orders.sandbox", "=", Number(sandbox)),
      ),
    );
  }

  #whyNot(order: OrderRow, request: RefundRequest): PaymentRefusal | undefined {
    const { now, settings } = this.#deps;
    if (order.paid_at === null) return refusal("ORDERNOTEXIST", "订单未支付，不能发起退款");
    if (!allowsEvent("refunded", { tradeState: order.trade_state, tradeType: order.trade_type }))
      return refusal("ERROR", "订单已撤销，不能发起退款");
    if (now() - order.paid_at > refundableMs) return refusal("TRADE_OVERDUE");
    if (request.total !== order.total) return refusal("PARAM_ERROR", "total_fee与原订单金额不一致");
    if (request.currency !== order.currency) return refusal("PARAM_ERROR", "退款币种与原订单不一致");
    if (order.refund_count >= maxRefunds) return refusal("ERROR", "一笔订单最多部分退款50次");
    const waited = now() - (order.last_refund_at ?? 0);
    const isSoon = isYounger(waited, settings().refund_interval_seconds * 1000);
    if (isSoon && request.version !== "alipay") return refusal("FREQUENCY_LIMITED");
    if (order.refunded + request.refund > order.total) return refusal("ERROR", "累计退款金额大于支付金额");
    return undefined;
  }

  /** Order, book and refund change atomically. */
  #accept(order: OrderRow, request: RefundRequest): Promise<{ order: OrderRow; refund: RefundRow }> {
    const { db, book, holds, now } = this.#deps;
    return db.transaction().execute(async (trx) => {
      const at = now();
      const counted = await countRefund(trx, order, request.refund, at);
      const before = await returnedBefore(trx, order);
      const couponFee = couponPart({ total: order.total, couponFee: order.coupon_fee }, before, request.refund);
      const refund = await insertRefund(trx, order, request, couponFee, at);
      const cashBefore = before.refunded - before.couponFee;
      const frozen = await holds.spendable(order.id, trx);
      if (order.sandbox === 0) await book.post(trx, postingOf(refund, ownerOf(order), cashBefore, frozen));
      return { order: counted, refund };
    });
  }
}

/** @throws PaymentRefusal if the number was used for something else */
function sameRefund(before: RefundRow, order: OrderRow, request: RefundRequest): RefundRow {
  if (before.order_id !== order.id) throw refusal("INVALID_REQUEST", "退款单号已用于其他订单");
  if (before.total !== request.total || before.refund !== request.refund) throw refusal("REFUND_FEE_MISMATCH");
  return before;
}
