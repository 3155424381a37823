/** The control routes' views of orders, refunds, calls and notifications. */
import type { z } from "zod";
import type { SimMoneyMove } from "../../../contract/provider/sim-money-moves.ts";
import type {
  simAttemptSchema,
  simCallSchema,
  SimOrder,
  simNotificationSchema,
  simRefundSchema,
} from "../../../contract/provider/sim-orders.ts";
import { presentIds } from "../../../trace/span.ts";
import { outRequestNoOf } from "../alipay/refund-numbers.ts";
import type { LoggedCall } from "../calls/call-log.ts";
import { combinedByOf } from "../combined/combined-order.ts";
import type { FailedAttempt, MoneyMove, Order, Refund } from "../ledger/ledger.ts";
import type { HeldDelivery } from "../notifier/deliveries.ts";
import type { AttemptRow, NotificationRow } from "../notifier/notification-tables.ts";
import { subMerchantOf } from "../partner/sub-merchant.ts";

const iso = (at: number) => new Date(at).toISOString();
const isoIfSet = (at: number | undefined) => (at === undefined ? undefined : iso(at));

/** @param payPage where a buyer pays it in a browser, if possible */
export const orderView = (order: Order, payPage: string | undefined): SimOrder => ({
  id: order.id,
  mch_id: order.mchId,
  sub_mch_id: subMerchantOf(order)?.sub_mchid,
  combine_mch_id: combinedByOf(order)?.mchid,
  combine_out_trade_no: combinedByOf(order)?.out_trade_no,
  sub_orders: order.parts?.map((part) => ({
    mch_id: part.mchId,
    sub_mch_id: subMerchantOf(part)?.sub_mchid,
    out_trade_no: part.outTradeNo,
    description: part.description,
    total: part.total,
    trade_state: part.tradeState,
    transaction_id: part.transactionId,
    refunded: part.refunded,
  })),
  app_id: order.appId,
  out_trade_no: order.outTradeNo,
  trade_type: order.tradeType,
  version: order.version,
  sign_type: order.signType,
  description: order.description,
  total: order.total,
  currency: order.currency,
  trade_state: order.tradeState,
  created_at: iso(order.createdAt),
  expires_at: iso(order.expiresAt),
  notify_url: order.notifyUrl,
  openid: order.openid,
  attach: order.attach,
  prepay_id: order.prepayId === "" ? undefined : order.prepayId,
  code_url: order.codeUrl,
  pay_page: payPage,
  transaction_id: order.transactionId,
  paid_at: isoIfSet(order.paidAt),
  ended_at: isoIfSet(order.endedAt),
  bank_type: order.bankType,
  payer: order.payer,
  coupon_fee: order.couponFee,
  refunded: order.refunded,
  sandbox: order.sandbox,
});

export const simRefundView = (
  refund: Refund,
  { outTradeNo }: Pick<Order, "outTradeNo">,
): z.input<typeof simRefundSchema> => ({
  refund_id: refund.refundId,
  out_refund_no: refund.version === "alipay" ? outRequestNoOf(refund) : refund.outRefundNo,
  out_trade_no: outTradeNo,
  total: refund.total,
  refund: refund.refund,
  currency: refund.currency,
  status: refund.status,
  version: refund.version,
  created_at: iso(refund.createdAt),
  finished_at: isoIfSet(refund.finishedAt),
  reason: refund.reason,
  notify_url: refund.notifyUrl,
  account: refund.account,
});

export const failedAttemptView = ({ at, reason }: FailedAttempt) => ({
  at: iso(at),
  result: "failed" as const,
  reason,
});

export const moneyMoveView = ({ at, kind, subject, lines }: MoneyMove): SimMoneyMove => ({
  at: iso(at),
  ...{ kind, number: subject, lines: [...lines] },
});

export const callView = ({ at, durationMs, faults, span, ...call }: LoggedCall): z.input<typeof simCallSchema> => ({
  ...call,
  ...presentIds(span),
  at: iso(at),
  duration_ms: durationMs,
  faults: [...faults],
});

const attemptView = (row: AttemptRow): z.input<typeof simAttemptSchema> => ({
  attempt: row.attempt,
  ...presentIds(row),
  started_at: iso(row.started_at),
  duration_ms: row.duration_ms,
  request: { headers: JSON.parse(row.request_headers) as Record<string, string>, body: row.request_body },
  ...(row.status !== 0 && {
    reply: {
      status: row.status,
      headers: JSON.parse(row.reply_headers) as Record<string, string>,
      body: row.reply_body,
    },
  }),
  verdict: row.verdict,
  reason: row.reason ?? undefined,
  trusted_result_code: row.trusted === 1,
  faults: JSON.parse(row.faults) as { id: number; kind: string }[],
});

/** @param attempts may include those of other notifications */
export const notificationView = (
  row: NotificationRow,
  attempts: readonly AttemptRow[],
  held: HeldDelivery | undefined,
): z.input<typeof simNotificationSchema> => ({
  id: row.id,
  about: row.about,
  mch_id: row.mch_id,
  out_trade_no: row.out_trade_no,
  refund_id: row.refund_id === "" ? undefined : row.refund_id,
  version: row.version,
  url: row.url,
  state: row.state,
  created_at: iso(row.created_at),
  due_at: isoIfSet(row.due_at ?? undefined),
  ...(held && { held: { until: iso(held.until), faults: [...held.faults] } }),
  attempts: attempts.filter(({ notification_id }) => notification_id === row.id).map(attemptView),
});
