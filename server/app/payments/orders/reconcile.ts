/**
 * Inquires about open orders and refunds at their times, across restarts, lost notifications and outages of the
 * provider. The times are in the database; one timer serves the earliest.
 */
import { message } from "../../../contract/messages/message.ts";
import type { Logger } from "pino";
import { isYounger } from "../../../process/age.ts";
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

export interface Reconcile {
  /** Looks up the next inquiry in the database: at the start, and after its content was replaced. */
  wake(): void;
  /** Resolves when the running inquiries have ended. */
  close(): Promise<void>;
}

/** Simultaneous inquiries; the provider and the database have other work, too. */
const atOnce = 8;
const afterFailureMs = 60_000;

export function createReconcile(deps: Deps): Reconcile {
  const { store, refunds, mutex, now, alarm, log } = deps;
  let running: Promise<void> | undefined;
  let closed = false;
  let hastened = false;

  function wake(): void {
    if (closed || running) return;
    running = inquireAll()
      .then(
        () => rest(),
        (error: unknown) => {
          fail(error);
          return rest(now() + afterFailureMs);
        },
      )
      .catch((error: unknown) => {
        fail(error);
        if (!closed) alarm.setFor(now() + afterFailureMs);
      });
  }

  const fail = (error: unknown) => log.error({ err: error }, "orders could not be reconciled");

  /** @param earliest what is due stays due in a database that takes no writes: it is not asked about without a pause */
  async function rest(earliest = 0): Promise<void> {
    running = undefined;
    alarm.stop(); // all alarms set meanwhile are in the database
    if (closed) return;
    const times = await Promise.all([store.nextDue(), refunds.nextDue()]);
    const next = Math.min(...times.map((at) => at ?? Infinity));
    if (next < Infinity && !closed) alarm.setFor(Math.max(next, earliest));
  }

  async function inquireAll(): Promise<void> {
    if (!hastened) await refunds.hasten(now());
    hastened = true;
    for (const part of [store, refunds]) await part.bringForward(now(), longestInquiryPauseMs);
    for (;;) {
      const orders = await store.due(now(), atOnce);
      const due = await refunds.due(now(), atOnce);
      if (closed || orders.length + due.length === 0) return;
      await Promise.all([
        ...orders.map((outTradeNo) =>
          mutex
            .run(outTradeNo, () => inquireOrder(outTradeNo))
            .catch(report)
            .then(() => postponeOrder(outTradeNo)),
        ),
        ...due.map(({ outRefundNo, outTradeNo }) =>
          mutex
            .run(outTradeNo, () => inquireRefund(outRefundNo, outTradeNo))
            .catch(report)
            .then(() => postponeRefund(outRefundNo)),
        ),
      ]);
    }
  }

  const report = (error: unknown) => log.error({ err: error }, "an order could not be reconciled");

  /** Postpones an inquiry that failed by an error of ours, so that it does not block the others. */
  async function postponeOrder(outTradeNo: string): Promise<void> {
    const { nextQueryAt = Infinity } = (await store.byOutTradeNo(outTradeNo)) ?? {};
    if (nextQueryAt <= now()) await store.change(outTradeNo, { next_query_at: now() + afterFailureMs }, []);
  }

  async function postponeRefund(outRefundNo: string): Promise<void> {
    const refund = await refunds.byOutRefundNo(outRefundNo);
    if (refund && (refund.nextQueryAt ?? Infinity) <= now())
      await refunds.change(refund, { next_query_at: now() + afterFailureMs }, []);
  }

  /** The next time is stored together with the result. After a crash in between, the inquiry is repeated. */
  async function inquireOrder(outTradeNo: string): Promise<void> {
    const order = await store.byOutTradeNo(outTradeNo);
    if (order?.nextQueryAt === undefined || order.nextQueryAt > now()) return;
    if (order.tradeType === "MICROPAY") {
      if (order.reversing || order.tradeState === "PAYERROR") return reverse(order);
      if (isOpen(order.tradeState) && !isYounger(now() - order.createdAt, codePaymentMs)) return reverseUnpaid(order);
    }
    const nextQueryAt = isOpen(order.tradeState) ? nextInquiryAt(order, now()) : null;
    const next = { next_query_at: nextQueryAt };
    if (isOpen(order.tradeState) && now() >= order.expiresAt) {
      const { order: after } = await deps.ending.close(order, "expired");
      if (isOpen(after.tradeState)) await store.change(outTradeNo, next, []);
    } else await deps.settle(order, { why: "reconcile", change: next });
  }

  /** The buyer may have confirmed in the last seconds, or while nobody asked: a reversal would give the money back. */
  async function reverseUnpaid(order: Order): Promise<void> {
    const { order: after, verdict } = await deps.settle(order, { why: "reconcile" });
    const isUnpaid = after.tradeState === "PAYERROR" || verdict === "not_paid" || verdict === "not_found";
    if (isUnpaid) await reverse(after);
    else if (isOpen(after.tradeState))
      await store.change(order.outTradeNo, { next_query_at: laterReversal(order) }, []);
  }

  async function reverse(order: Order): Promise<void> {
    const why = order.tradeState === "PAYERROR" ? "payerror" : "waited";
    const { order: after, failure } = await deps.ending.reverse(order, why, { isWanted: order.reversing });
    if (!failure || failure.outcome === "unknown" || failure.code === "USERPAYING") return;
    if (after.tradeState === "PAYERROR") {
      const text = message("history.irreversible", { code: failure.code });
      await store.change(order.outTradeNo, { next_query_at: null }, [decision("reverse", "refused", text)]);
    }
    if (!isOpen(after.tradeState)) return;
    // Closing shows that the provider does not have it.
    const isGone = failure.code === "ORDERNOTEXIST" && now() >= order.expiresAt;
    const left = isGone ? (await deps.ending.close(after, "expired")).order : after;
    if (isOpen(left.tradeState)) await store.change(order.outTradeNo, { next_query_at: laterReversal(order) }, []);
  }

  /** At short intervals while the buyer may still be paying, then like any other order. */
  const laterReversal = (order: Order) =>
    isYounger(now() - order.createdAt, 10 * codePaymentMs) ? now() + reversalAgainMs : nextInquiryAt(order, now());

  async function inquireRefund(outRefundNo: string, outTradeNo: string): Promise<void> {
    const refund = await refunds.byOutRefundNo(outRefundNo);
    const order = refund && (await store.byOutTradeNo(outTradeNo));
    if (!order || refund.nextQueryAt === undefined || refund.nextQueryAt > now()) return;
    await deps.refunding.inquire(refund, order, { why: "reconcile" });
  }

  alarm.onRing(wake);
  return {
    wake,
    async close() {
      closed = true;
      alarm.stop();
      await running;
    },
  };
}
