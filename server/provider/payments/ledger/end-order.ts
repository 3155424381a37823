/** How orders enter USERPAYING, end unpaid or are undone: password request, failed payment, close, reversal. */
import type { Kysely, Transaction } from "kysely";
import type { PaymentFailure } from "../../../contract/provider/payment-terms.ts";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import { isYounger } from "../../../process/age.ts";
import { linesOfRefund } from "../book/base-postings.ts";
import type { Book, Posting } from "../book/book.ts";
import { ownerOf } from "../partner/sub-merchant.ts";
import type { Holds } from "./holds.ts";
import { toLedgerOrder } from "./ledger-rows.ts";
import type { LedgerTables, OrderRow } from "./ledger-tables.ts";
import type { LedgerChange, Order, OrderKey, PaymentRefusal } from "./ledger.ts";
import type { Notify } from "./commits.ts";
import type { OrderTable } from "./order-table.ts";
import { refusal, whyNotPayable } from "./refusals.ts";
import { sourceStatesOf } from "./trade-state.ts";

interface Deps {
  readonly db: Kysely<LedgerTables>;
  readonly book: Book;
  readonly holds: Holds;
  readonly orders: OrderTable;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly settings: () => SimPaymentSettings;
}

const reversibleMs = 7 * 24 * 3_600_000;

/** Publishes the changes once they are committed. */
async function inTransaction<Value>(
  db: Kysely<LedgerTables>,
  notify: Notify,
  work: (trx: Transaction<LedgerTables>, collect: Notify) => Promise<Value>,
): Promise<Value> {
  const changes: LedgerChange[] = [];
  const value = await db.transaction().execute((trx) => work(trx, (change) => void changes.push(change)));
  changes.forEach(notify);
  return value;
}

/** Why an order cannot be closed or reversed at this moment. */
function createObstacles({ now, settings }: Pick<Deps, "now" | "settings">) {
  const younger = (since: number, seconds: number) => isYounger(now() - since, seconds * 1000);

  /** In the documented order: paid, closed, being paid, too young. */
  function whyNotClosed({ trade_state, created_at, version }: OrderRow): PaymentRefusal | undefined {
    switch (trade_state) {
      case "SUCCESS":
      case "REFUND":
      case "REVOKED":
        return refusal("ORDERPAID");
      case "CLOSED":
        return refusal("ORDERCLOSED");
      case "USERPAYING":
        return refusal("USERPAYING");
      case "PAYERROR":
        return refusal("TRADE_ERROR", "支付失败的订单请调用撤销接口");
      case "NOTPAY":
        return version !== "alipay" && younger(created_at, settings().closeMinAgeSeconds)
          ? refusal("FREQUENCY_LIMITED")
          : undefined;
    }
  }

  function whyNotReversed(order: OrderRow): PaymentRefusal | undefined {
    if (order.trade_type !== "MICROPAY") return refusal("INVALID_REQUEST", "只有付款码支付的订单可以撤销");
    if (order.trade_state === "USERPAYING") return refusal("USERPAYING");
    if (order.trade_state === "REFUND") return refusal("TRADE_ERROR", "订单已转入退款，不能撤销");
    if (order.trade_state === "CLOSED") return refusal("TRADE_ERROR", "订单已关闭，不能撤销");
    if (now() - order.created_at > reversibleMs) return refusal("REVERSE_EXPIRE");
    const tooSoon = order.paid_at !== null && younger(order.paid_at, settings().reverse_min_age_seconds);
    return tooSoon ? refusal("FREQUENCY_LIMITED", "支付后请稍候再撤销") : undefined;
  }

  return { whyNotClosed, whyNotReversed };
}

export function createEndings({ db, book, holds, orders, now, settings }: Deps) {
  const { whyNotClosed, whyNotReversed } = createObstacles({ now, settings });

  /** Returns all of the payment. */
  async function reversalOf(order: OrderRow, trx: Transaction<LedgerTables>): Promise<Posting> {
    const { id: orderId, mch_id: mchId, total: refund, coupon_fee: couponFee } = order;
    const frozen = await holds.spendable(orderId, trx);
    const lines = linesOfRefund({ owner: ownerOf(order), refund, couponFee, cashBefore: 0, frozen });
    const subject = order.transaction_id ?? "";
    return { kind: "reversal", mchId, subject, orderId, at: order.ended_at ?? undefined, lines };
  }

  async function payable(key: OrderKey, notify: Notify): Promise<OrderRow> {
    const order = await orders.currentWhole(key, notify);
    const refused = whyNotPayable({ tradeState: order.trade_state });
    if (refused) throw refused;
    return order;
  }

  /** Alipay also closes an order whose buyer is paying. */
  const notPaying = async (order: OrderRow, notify: Notify): Promise<OrderRow> =>
    order.version === "alipay" && order.trade_state === "USERPAYING"
      ? wonAgainstOthers(await orders.move(order, "givenUp", { password_until: null }, notify))
      : order;

  const closed = async (order: OrderRow, notify: Notify, trx?: Transaction<LedgerTables>) =>
    wonAgainstOthers(await orders.move(order, "closed", { ended_at: now() }, notify, trx));

  const closeCombined = (order: OrderRow, notify: Notify): Promise<Order> =>
    inTransaction(db, notify, async (trx, collect) => {
      for (const part of (await orders.partsOf(order, trx)) ?? []) await closed(part, collect, trx);
      return toLedgerOrder(await closed(order, collect, trx), await orders.partsOf(order, trx));
    });

  return {
    async askPassword(key: OrderKey, notify: Notify): Promise<Order> {
      const order = await payable(key, notify);
      if (order.trade_state === "USERPAYING") return toLedgerOrder(order);
      if (sourceStatesOf("passwordAsked", order.trade_type).length === 0)
        throw refusal("TRADE_ERROR", "只有扫码支付（NATIVE、MICROPAY）的订单会处于USERPAYING状态");
      if (order.expires_at <= now()) throw refusal("ORDER_EXPIRED");
      const password_until = now() + Math.round(settings().password_seconds * 1000);
      return toLedgerOrder(wonAgainstOthers(await orders.move(order, "passwordAsked", { password_until }, notify)));
    },

    async fail(key: OrderKey, reason: PaymentFailure, notify: Notify): Promise<Order> {
      const order = await payable(key, notify);
      const isFinal = reason !== "cancel" && sourceStatesOf("refused", order.trade_type).length > 0;
      const event = order.trade_type === "PAP" ? "notDeducted" : isFinal ? "refused" : "givenUp";
      const moved = await orders.move(order, event, { password_until: null }, notify);
      await orders.recordFailure(moved ?? order, reason, notify);
      return toLedgerOrder(moved ?? order);
    },

    async close(key: OrderKey, notify: Notify): Promise<Order> {
      const order = await notPaying(await orders.currentWhole(key, notify), notify);
      const refused = whyNotClosed(order);
      if (refused) throw refused;
      return order.combined === 0 ? closeCombined(order, notify) : toLedgerOrder(await closed(order, notify));
    },

    async reverse(key: OrderKey, notify: Notify): Promise<Order> {
      const order = await orders.current(key, notify);
      if (order.trade_state === "REVOKED") return toLedgerOrder(order); // callers repeat a reversal until it succeeds
      const refused = whyNotReversed(order);
      if (refused) throw refused;
      const reversed = await inTransaction(db, notify, async (trx, collect) => {
        const change = { ended_at: now() };
        const moved = wonAgainstOthers(await orders.move(order, "reversed", change, collect, trx));
        if (moved.paid_at !== null && moved.sandbox === 0) await book.post(trx, await reversalOf(moved, trx));
        return moved;
      });
      return toLedgerOrder(reversed);
    },

    async expire(key: OrderKey, notify: Notify): Promise<Order> {
      const order = await payable(key, notify);
      return toLedgerOrder(await orders.expire(order, notify));
    },
  };
}

/** @throws PaymentRefusal FREQUENCY_LIMITED, the platform's code when a payment and a close race */
function wonAgainstOthers(moved: OrderRow | undefined): OrderRow {
  if (!moved) throw refusal("FREQUENCY_LIMITED");
  return moved;
}
