/** Immediately sends a notification about an order: genuine, forged, broken or several times. */
import type { SimSending } from "../../../contract/provider/sim-notification-faults.ts";
import { HttpError } from "../../../http/http-error.ts";
import type { CallLog } from "../calls/call-log.ts";
import type { Ledger, Order, Refund } from "../ledger/ledger.ts";
import { asPaid } from "./false-orders.ts";
import { changedMessage, hasPart } from "./message-faults.ts";
import {
  genuineDelivery,
  type DeliveryResult,
  type DueNotification,
  type NotificationContent,
  type NotificationSender,
  type PlannedDelivery,
} from "./notification-faults.ts";
import { copiesOf } from "./plan-notifications.ts";
import { expectedOfForgery } from "./unscheduled-notifications.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "refunds">;
  readonly callLog: Pick<CallLog, "queriedBetween">;
  readonly sender: () => NotificationSender;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Replaces the addresses in the order and its refund. */
export interface SendTo {
  readonly notifyUrl?: string | undefined;
  readonly refundNotifyUrl?: string | undefined;
  /** Who named the addresses; see Order. */
  readonly notifyFrom?: string | undefined;
  /** Replaces the content: a notification of another product, with the keys of the order's merchant. */
  readonly content?: NotificationContent | undefined;
}

/** The result of a delivery, and what a correct receiver does with it. */
export type JudgedDelivery = DeliveryResult & Pick<PlannedDelivery, "expected">;

/**
 * Sends, and waits for the replies.
 * @throws HttpError 409 if there is nothing to report or no address to send it to
 */
export type SendNow = (order: Order, sending: SimSending, to?: SendTo) => Promise<JudgedDelivery[]>;

type Changing = Exclude<SimSending, { kind: "genuine" | "forged_success" | "notification_duplicate" }>;

const conflict = (message: string) => new HttpError(409, "nothing_to_send", message);
const wasPaid = ({ tradeState }: Order) => tradeState === "SUCCESS" || tradeState === "REFUND";
const isOpen = ({ tradeState }: Order) => tradeState === "NOTPAY" || tradeState === "USERPAYING";

/** Wrong only in what a receiver compares when it settles an order. */
const isWrongPayment = ({ kind, params }: SimSending): boolean =>
  kind === "wrong_amount" || (kind === "notification_foreign" && params.field === "transaction_id");

/** The order or refund, with the replacement address if there is one. */
const addressedTo = <Subject extends Order | Refund>(
  notified: Subject,
  notifyUrl?: string,
  notifyFrom?: string,
): Subject => (notifyUrl === undefined ? notified : { ...notified, notifyUrl, notifyFrom });

export function createSendNow({ ledger, callLog, sender, now }: Deps): SendNow {
  async function latestRefund(order: Order): Promise<Refund> {
    const refund = (await ledger.refunds(order)).at(-1);
    if (!refund) throw conflict(`The order ${order.outTradeNo} has no refund to notify.`);
    return refund;
  }

  async function compose(order: Order, { kind, params }: SimSending, to: SendTo): Promise<DueNotification> {
    const aboutRefund = "about" in params && params.about === "refund";
    if (kind === "genuine" && !aboutRefund && !wasPaid(order))
      throw conflict(
        `The order ${order.outTradeNo} is ${order.tradeState}: there is no payment to report. Pay it first, or send a forged one, such as the kind forged_success.`,
      );
    const addressed = addressedTo(order, to.notifyUrl, to.notifyFrom);
    const due = aboutRefund ? await composeRefund(addressed, to) : await sender().compose(asPaid(addressed, now()));
    if (!due)
      throw conflict(`The order ${order.outTradeNo} has no notifications: it has no notify_url, or is paid by code.`);
    return to.content ? { ...due, content: to.content } : due;
  }

  const composeRefund = async (order: Order, { refundNotifyUrl, notifyFrom }: SendTo) =>
    sender().compose(order, addressedTo(await latestRefund(order), refundNotifyUrl, notifyFrom));

  function changed(due: DueNotification, { kind, params }: Changing): PlannedDelivery {
    if (!hasPart(due.content, kind, params))
      throw conflict(
        `${kind} does not apply to this notification: version ${due.content.version}, of a ${due.content.about}.`,
      );
    return { ...genuineDelivery(due), ...changedMessage(kind, due, params) };
  }

  function planned(due: DueNotification, sending: SimSending): readonly PlannedDelivery[] {
    const { kind, params } = sending;
    if (kind === "genuine" || kind === "forged_success") return [genuineDelivery(due)];
    if (kind === "notification_duplicate")
      return copiesOf(genuineDelivery(due), {
        count: params.copies,
        together: params.concurrent,
        gapMs: params.gap_ms,
      });
    return [changed(due, sending)];
  }

  /** Whether the receiver can consider the order finished: it has ended, or a query returned that it is paid. */
  async function isOver(order: Order): Promise<boolean> {
    if (order.tradeState !== "SUCCESS") return !isOpen(order);
    return callLog.queriedBetween(order, order.paidAt ?? 0, now());
  }

  /**
   * A message that calls an unpaid order paid is a forgery, however correct the rest is; a failure of communication
   * asserts nothing. A wrong payment of a finished order has no effect any more: receivers may acknowledge it or not.
   */
  function judged(plan: PlannedDelivery, order: Order, due: DueNotification, sending: SimSending, over: boolean) {
    if (plan.expected === "refuse")
      return over && !due.refund && isWrongPayment(sending) ? { ...plan, expected: "either" as const } : plan;
    if (due.refund || wasPaid(order) || sending.kind === "notification_return_code_fail") return plan;
    return { ...plan, genuine: false, expected: expectedOfForgery(order) };
  }

  return async (order, sending, to = {}) => {
    const due = await compose(order, sending, to);
    const over = await isOver(order);
    const plans = planned(due, sending).map((plan) => judged(plan, order, due, sending, over));
    const results = await sender().deliver(due, plans);
    return results.map((result, index) => ({ ...result, expected: plans[index]?.expected ?? "either" }));
  };
}
