/** The subjects of notifications, and the first row of each. */
import { currentTraceparent } from "../../../trace/span.ts";
import { isTrade } from "../alipay/trade-status.ts";
import type { NotificationContent } from "../faults/notification-faults.ts";
import type { LedgerChange, Order, Refund } from "../ledger/ledger.ts";
import type { NotificationRow } from "./notification-tables.ts";
import type { NewNotification } from "./notification-writes.ts";

export interface Subject {
  readonly order: Order;
  readonly refund?: Refund | undefined;
}

/**
 * The changes that merchants are notified of: a payment, and the end of a refund. WeChat Pay leaves out payments made with
 * a payment code; Alipay adds the end of an unpaid order, and leaves out refunds that fail.
 */
export function notifiedBy(change: LedgerChange): Subject | undefined {
  if (change.kind === "refund") {
    const { status, version } = change.refund;
    const isOver = version === "alipay" ? status === "SUCCESS" : status !== "PROCESSING";
    return change.from === "PROCESSING" && isOver ? change : undefined;
  }
  if (change.kind === "failure") return undefined;
  const { order, from } = change;
  if (order.version === "alipay" && order.tradeState === "CLOSED" && from === "NOTPAY")
    return isTrade({ ...order, tradeState: from }) ? change : undefined;
  const isSilent = order.version !== "alipay" && order.tradeType === "MICROPAY";
  return order.tradeState === "SUCCESS" && from !== "SUCCESS" && !isSilent ? change : undefined;
}

/** Undefined where the merchant named no address. */
export const urlOf = ({ order, refund }: Subject): string | undefined =>
  (refund ? refund.notifyUrl : order.notifyUrl) || undefined;

interface Beginning {
  readonly subject: Subject;
  readonly url: string;
  readonly content: NotificationContent;
  readonly state: NotificationRow["state"];
  /** Unix time in ms. */
  readonly at: number;
}

/** A notification that was not delivered yet. */
export const newNotification = ({
  subject: { order, refund },
  url,
  content,
  state,
  at,
}: Beginning): NewNotification => ({
  about: content.about,
  mch_id: order.mchId,
  out_trade_no: order.outTradeNo,
  refund_id: refund?.refundId ?? "",
  version: content.version,
  sign_type: order.signType,
  url,
  notify_from: (refund ? refund.notifyFrom : order.notifyFrom) ?? null,
  content: JSON.stringify(content),
  state,
  attempts: 0,
  created_at: at,
  base_at: at,
  due_at: null,
  caused_by: currentTraceparent() ?? null,
});
