import { message } from "../../../contract/messages/message.ts";
import type { Logger } from "pino";
import { isYounger } from "../../../process/age.ts";
import { newSpan, runInSpan } from "../../../trace/span.ts";
import type { EndOrder } from "./end-order.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";
import type { Alarm } from "../store/alarm.ts";
import { decision } from "../store/order-history.ts";
import type { Order } from "../store/order-rows.ts";
import type { OrderStore } from "../store/order-store.ts";
import { codePaymentMs, longestInquiryPauseMs, nextInquiryAt, reversalAgainMs } from "./reconcile-times.ts";
import type { Refunding } from "./refund-order.ts";
import type { RefundStore } from "../store/refund-store.ts";
import type { SettleOrder } from "./settle-order.ts";
import { isOpen } from "../store/trade-states.ts";

interface Deps {
  readonly store: OrderStore;
  readonly refunds: RefundStore;
  readonly settle: SettleOrder;
  readonly ending: EndOrder;
  readonly refunding: Refunding;
  readonly mutex: KeyedMutex;
  readonly now: () => number;
  readonly alarm: Alarm;
  readonly log: Logger;
}

/** Simultaneous inquiries; the provider and the database have other work, too. */
const atOnce = 8;
const afterFailureMs = 60_000;

/**
 * Inquires about open orders and refunds at their times, across restarts, lost notifications and outages of the
 * provider. The times are in the database; one alarm serves the earliest.
 * Resting → running, when the alarm rings or `wake` is called → resting until the earliest time, when nothing is due.
 * `close` ends both for good.
 */
export class Reconcile {
  readonly #deps: Deps;
  #running: Promise<void> | undefined;
  #closed = false;
  /** Whether inquiries that failed before this start have been made due. */
  #hastened = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.alarm.onRing(() => this.wake());
  }

  /** Looks up the next inquiry in the database: at the start, and after its content was replaced. */
  wake(): void {
    const { now, alarm } = this.#deps;
    if (this.#closed || this.#running) return;
    this.#running = runInSpan(undefined, () => this.#inquireAll())
      .then(
        () => this.#rest(),
        (error: unknown) => {
          this.#fail(error);
          return this.#rest(now() + afterFailureMs);
        },
      )
      .catch((error: unknown) => {
        this.#fail(error);
        if (!this.#closed) alarm.setFor(now() + afterFailureMs);
      });
  }

  /** Resolves when the running inquiries have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#deps.alarm.stop();
    await this.#running;
  }

  #fail(error: unknown): void {
    this.#deps.log.error({ err: error }, "orders could not be reconciled");
  }

  /** @param earliest the soonest next run, after a failure: in a database that takes no writes, due inquiries stay due */
  async #rest(earliest = 0): Promise<void> {
    const { alarm, store, refunds } = this.#deps;
    this.#running = undefined;
    alarm.stop(); // all alarms set meanwhile are in the database
    if (this.#closed) return;
    const times = await Promise.all([store.nextDue(), refunds.nextDue()]);
    const next = Math.min(...times.map((at) => at ?? Infinity));
    if (next < Infinity && !this.#closed) alarm.setFor(Math.max(next, earliest));
  }

  async #inquireAll(): Promise<void> {
    const { refunds, now, store, mutex } = this.#deps;
    if (!this.#hastened) await refunds.hasten(now());
    this.#hastened = true;
    for (const part of [store, refunds]) await part.bringForward(now(), longestInquiryPauseMs);
    for (;;) {
      const orders = await store.due(now(), atOnce);
      const due = await refunds.due(now(), atOnce);
      if (this.#closed || orders.length + due.length === 0) return;
      await Promise.all([
        ...orders.map((outTradeNo) =>
          runInSpan(newSpan(), () => mutex.run(outTradeNo, () => this.#inquireOrder(outTradeNo)))
            .catch((error: unknown) => this.#report(error))
            .then(() => this.#postponeOrder(outTradeNo)),
        ),
        ...due.map(({ outRefundNo, outTradeNo }) =>
          runInSpan(newSpan(), () => mutex.run(outTradeNo, () => this.#inquireRefund(outRefundNo, outTradeNo)))
            .catch((error: unknown) => this.#report(error))
            .then(() => this.#postponeRefund(outRefundNo)),
        ),
      ]);
    }
  }

  #report(error: unknown): void {
    this.#deps.log.error({ err: error }, "an order could not be reconciled");
  }

  /** Postpones an inquiry that failed by an error of ours, so that it does not block the others. */
  async #postponeOrder(outTradeNo: string): Promise<void> {
    const { store, now } = this.#deps;
    const { nextQueryAt = Infinity } = (await store.byOutTradeNo(outTradeNo)) ?? {};
    if (nextQueryAt <= now()) await store.change(outTradeNo, { next_query_at: now() + afterFailureMs }, []);
  }

  async #postponeRefund(outRefundNo: string): Promise<void> {
    const { refunds, now } = this.#deps;
    const refund = await refunds.byOutRefundNo(outRefundNo);
    if (refund && (refund.nextQueryAt ?? Infinity) <= now())
      await refunds.change(refund, { next_query_at: now() + afterFailureMs }, []);
  }

  /** The next time is stored together with the result. After a crash in between, the inquiry is repeated. */
  async #inquireOrder(outTradeNo: string): Promise<void> {
    const { store, now } = this.#deps;
    const order = await store.byOutTradeNo(outTradeNo);
    if (order?.nextQueryAt === undefined || order.nextQueryAt > now()) return;
    if (order.tradeType === "MICROPAY") {
      if (order.reversing || order.tradeState === "PAYERROR") return this.#reverse(order);
      if (isOpen(order.tradeState) && !isYounger(now() - order.createdAt, codePaymentMs))
        return this.#reverseUnpaid(order);
    }
    const next = { next_query_at: isOpen(order.tradeState) ? nextInquiryAt(order, now()) : null };
    if (isOpen(order.tradeState) && now() >= order.expiresAt) {
      const { order: after } = await this.#deps.ending.close(order, "expired");
      if (isOpen(after.tradeState)) await store.change(outTradeNo, next, []);
    } else await this.#deps.settle(order, { why: "reconcile", change: next });
  }

  /** The buyer may have confirmed in the last seconds, or while nobody asked: a reversal would give the money back. */
  async #reverseUnpaid(order: Order): Promise<void> {
    const { store } = this.#deps;
    const { order: after, verdict } = await this.#deps.settle(order, { why: "reconcile" });
    const isUnpaid = after.tradeState === "PAYERROR" || verdict === "not_paid" || verdict === "not_found";
    if (isUnpaid) await this.#reverse(after);
    else if (isOpen(after.tradeState))
      await store.change(order.outTradeNo, { next_query_at: this.#laterReversal(order) }, []);
  }

  async #reverse(order: Order): Promise<void> {
    const { store, now } = this.#deps;
    const why = order.tradeState === "PAYERROR" ? "payerror" : "waited";
    const { order: after, failure } = await this.#deps.ending.reverse(order, why, { isWanted: order.reversing });
    if (!failure || failure.outcome === "unknown" || failure.code === "USERPAYING") return;
    if (after.tradeState === "PAYERROR") {
      const text = message("history.irreversible", { code: failure.code });
      await store.change(order.outTradeNo, { next_query_at: null }, [decision("reverse", "refused", text)]);
    }
    if (!isOpen(after.tradeState)) return;
    // Closing shows that the provider does not have it.
    const isGone = failure.code === "ORDERNOTEXIST" && now() >= order.expiresAt;
    const left = isGone ? (await this.#deps.ending.close(after, "expired")).order : after;
    if (isOpen(left.tradeState))
      await store.change(order.outTradeNo, { next_query_at: this.#laterReversal(order) }, []);
  }

  /** Returns the next time: at short intervals while the buyer may still be paying, then like any other order. */
  #laterReversal(order: Order) {
    const { now } = this.#deps;
    return isYounger(now() - order.createdAt, 10 * codePaymentMs)
      ? now() + reversalAgainMs
      : nextInquiryAt(order, now());
  }

  async #inquireRefund(outRefundNo: string, outTradeNo: string): Promise<void> {
    const { refunds, store, now } = this.#deps;
    const refund = await refunds.byOutRefundNo(outRefundNo);
    const order = refund && (await store.byOutTradeNo(outTradeNo));
    if (!order || refund.nextQueryAt === undefined || refund.nextQueryAt > now()) return;
    await this.#deps.refunding.inquire(refund, order, { why: "reconcile" });
  }
}
