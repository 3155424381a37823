/**
 * Receives the provider's notifications (contract: payments, Receiver): verifies them, finds the order, and queries it
 * under its mutex. The result says whether the provider should send it again.
 */
import { inEnglish } from "../../../contract/messages/in-english.ts";
import { message, type Message, type Text } from "../../../contract/messages/message.ts";
import type { IncomingHttpHeaders } from "node:http";
import type { NotificationRefusal } from "../../../contract/app/notification-reasons.ts";
import type { PayWire } from "../../../contract/provider/payment-terms.ts";
import type { EventBus } from "../../../events/event-bus.ts";
import { StillBusy, type KeyedMutex } from "../orders/keyed-mutex.ts";
import { decision, notificationEntry, type OrderEntry } from "../store/order-history.ts";
import type { Order } from "../store/order-rows.ts";
import type { OrderStore } from "../store/order-store.ts";
import {
  NotificationRefused,
  type CommunicationFailure,
  type PaymentNotification,
  type PaymentProvider,
  type RefundNotification,
} from "../provider/provider-client.ts";
import type { Refunding } from "../orders/refund-order.ts";
import type { RefundStore, StoredRefund } from "../store/refund-store.ts";
import { currency, type SettleOrder } from "../orders/settle-order.ts";

interface Deps {
  readonly store: OrderStore;
  readonly refunds: RefundStore;
  readonly provider: Pick<PaymentProvider, "readerOf">;
  readonly settle: SettleOrder;
  readonly refunding: Pick<Refunding, "inquire">;
  readonly mutex: KeyedMutex;
  readonly bus: EventBus;
  /** Unix ms. */
  readonly now: () => number;
  /** Longest wait for the order's mutex. */
  readonly patienceMs: number;
}

/** `reason`: the problem in one word; `text`: the problem in a sentence, for the reply; `outTradeNo`: the order's. */
export type NotificationAnswer = { readonly outTradeNo?: string } & (
  | { readonly accepted: true }
  | { readonly accepted: false; readonly reason: NotificationRefusal; readonly text: string }
);

type PaymentClaim = Exclude<PaymentNotification, { kind: "communication-failure" }>;
type RefundClaim = Exclude<RefundNotification, { kind: "communication-failure" }>;

type Sent = [body: Buffer, headers: IncomingHttpHeaders];

interface Mismatch {
  readonly reason: "transaction_mismatch" | "amount_mismatch";
  readonly text: Message;
}

/** The contradiction between a notification and the refund that it names, whatever query refund says. */
function mismatchOf(claim: RefundClaim, { amount }: StoredRefund, { transactionId }: Order): Mismatch | undefined {
  if (transactionId !== undefined && (claim.transactionId ?? transactionId) !== transactionId)
    return { reason: "transaction_mismatch", text: message("history.refundForeign") };
  const { amount: reported = amount, currency: reportedCurrency } = claim;
  if (reported === amount && reportedCurrency === currency) return undefined;
  const text = message("history.refundNotified", { amount, currency, reported, reportedCurrency });
  return { reason: "amount_mismatch", text };
}

const accepted: NotificationAnswer = { accepted: true };
const refused = (reason: NotificationRefusal, text: Text): NotificationAnswer => ({
  accepted: false,
  reason,
  text: inEnglish(text),
});
const busy = refused("busy", "the order is being processed: send the notification again");

export type Receiver = ReturnType<typeof createReceiver>;

export function createReceiver({ store, refunds, provider, settle, refunding, mutex, bus, now, patienceMs }: Deps) {
  const source = "/app/payments";

  /** An unreadable or forged notification changes nothing. It is published as an event, unless it is a probe. */
  function refuseUnread(error: NotificationRefused): NotificationAnswer {
    const { reason, message: text } = error;
    if (reason !== "signature_probe") bus.publish({ type: "payment.refused", source, data: { reason, text } });
    return refused(reason, text);
  }

  function unknown(reason: "unknown_order" | "unknown_refund", number: string): NotificationAnswer {
    const text = `there is no ${reason === "unknown_order" ? "order" : "refund"} ${number} here`;
    bus.publish({ type: "payment.refused", source, data: { out_trade_no: number, reason, text } });
    return refused(reason, text);
  }

  const signTypeOf = async (outTradeNo: string) => (await store.byOutTradeNo(outTradeNo))?.placed?.signType;

  async function receive<Claim extends PaymentClaim | RefundClaim>(
    read: () => Promise<Claim | CommunicationFailure>,
    handle: (claim: Claim) => Promise<NotificationAnswer>,
  ): Promise<NotificationAnswer> {
    try {
      const claimed = await read();
      if (claimed.kind !== "communication-failure")
        return { ...(await handle(claimed)), outTradeNo: claimed.outTradeNo };
      const text = `The platform reports a failed communication: ${claimed.message}`;
      bus.publish({ type: "payment.ignored", source, data: { reason: "communication_failure", text } });
      return accepted;
    } catch (error) {
      if (error instanceof NotificationRefused) return refuseUnread(error);
      if (error instanceof StillBusy) return busy;
      throw error;
    }
  }

  async function handlePayment(claim: PaymentClaim): Promise<NotificationAnswer> {
    const { outTradeNo } = claim;
    if (!(await store.byOutTradeNo(outTradeNo))) return unknown("unknown_order", outTradeNo);
    const options = { why: "notification", claim, before: [notificationEntry(claim, now())] };
    // Read again under the mutex; the read is free when nothing was written meanwhile.
    const inquire = async () => settle(await store.current(outTradeNo), options);
    const { verdict, text } = await mutex.run(outTradeNo, inquire, patienceMs);
    if (verdict === "settled" || verdict === "already_settled" || verdict === "recorded") return accepted;
    return refused(verdict, text);
  }

  async function refuseRefund(
    entry: OrderEntry,
    { id, outTradeNo, description: name }: Order,
    { reason, text }: Mismatch,
  ) {
    await store.note(outTradeNo, [entry, decision("refund", reason, text)]);
    const data = { order_id: id, out_trade_no: outTradeNo, name, reason, text: inEnglish(text) };
    bus.publish({ type: "payment.refused", source, subject: outTradeNo, data });
    return refused(reason, text);
  }

  async function handleRefund(claim: RefundClaim): Promise<NotificationAnswer> {
    const known = await refunds.byOutRefundNo(claim.outRefundNo);
    const order = known && (await store.get(known.orderId));
    if (!known || order?.outTradeNo !== claim.outTradeNo) return unknown("unknown_refund", claim.outRefundNo);
    const entry = notificationEntry(claim, now());
    const inquire = async () => {
      const fresh = (await refunds.byOutRefundNo(known.outRefundNo)) ?? known;
      const current = await store.current(order.outTradeNo);
      const mismatch = mismatchOf(claim, fresh, current);
      if (mismatch) return refuseRefund(entry, current, mismatch);
      const options = { why: "notification", before: [entry] };
      const inquiry = await refunding.inquire(fresh, current, options);
      if (!inquiry.known) return refused("query_failed", "query refund has failed: send the notification again");
      if (inquiry.refund.status === "PROCESSING") return refused("unfinished", "query refund says PROCESSING");
      return accepted;
    };
    return mutex.run(order.outTradeNo, inquire, patienceMs);
  }

  return {
    payment: (version: PayWire, ...sent: Sent) =>
      receive(() => provider.readerOf(version).readPaymentNotification(...sent, signTypeOf), handlePayment),
    refund: (version: PayWire, ...sent: Sent) =>
      receive(() => provider.readerOf(version).readRefundNotification(...sent), handleRefund),
  };
}
