/** Converts between database rows and the ledger's objects. */
import { isDeepStrictEqual } from "node:util";
import type { Insertable } from "kysely";
import { newAlipayCode, newPrepayId, newTradeNo } from "./ledger-ids.ts";
import type { OrderRow, PayOrdersTable, RefundRow } from "./ledger-tables.ts";
import type { Order, OrderRequest, Refund } from "./ledger.ts";

const payableMs = 7 * 24 * 3_600_000;
const prepayLifetimeMs = 2 * 3_600_000;

/** What a buyer pays by: at Alipay, it is valid as long as the order. */
export const newPrepay = ({ version, expires_at }: Pick<OrderRow, "version" | "expires_at">, at: number) =>
  version === "alipay"
    ? { prepay_id: newAlipayCode(), prepay_expires_at: expires_at }
    : { prepay_id: newPrepayId(at), prepay_expires_at: at + prepayLifetimeMs };

/** At WeChat Pay 64 characters with the prepay id, the maximum length. */
const codeUrlOf = ({ version, prepay_id }: OrderRow) =>
  version === "alipay" ? `https://qr.alipay.com/${prepay_id}` : `weixin://wxpay/bizpayurl?pr=${prepay_id}`;

/** @param parts of a combined order */
export const toLedgerOrder = (row: OrderRow, parts?: readonly OrderRow[]): Order => ({
  id: row.id,
  mchId: row.mch_id,
  appId: row.app_id,
  outTradeNo: row.out_trade_no,
  tradeType: row.trade_type,
  version: row.version,
  signType: row.sign_type,
  description: row.description,
  total: row.total,
  currency: row.currency,
  notifyUrl: row.notify_url ?? undefined,
  notifyFrom: row.notify_from ?? undefined,
  openid: row.openid ?? undefined,
  attach: row.attach ?? undefined,
  expiresAt: row.expires_at,
  sandbox: row.sandbox === 1,
  extra: JSON.parse(row.extra) as Record<string, unknown>,
  tradeState: row.trade_state,
  createdAt: row.created_at,
  prepayId: row.prepay_id,
  prepayExpiresAt: row.prepay_expires_at,
  codeUrl: row.trade_type === "NATIVE" && row.prepay_id !== "" ? codeUrlOf(row) : undefined,
  transactionId: row.transaction_id ?? undefined,
  paidAt: row.paid_at ?? undefined,
  endedAt: row.ended_at ?? undefined,
  bankType: row.bank_type ?? undefined,
  payer: row.payer ?? undefined,
  couponFee: row.coupon_fee,
  refunded: row.refunded,
  parts: parts?.map((part) => toLedgerOrder(part)),
});

/** The columns that the request determines. */
const requestRow = (request: OrderRequest) => ({
  mch_id: request.mchId,
  app_id: request.appId,
  out_trade_no: request.outTradeNo,
  trade_type: request.tradeType,
  version: request.version,
  sign_type: request.signType,
  description: request.description,
  total: request.total,
  currency: request.currency,
  notify_url: request.notifyUrl ?? null,
  openid: request.openid ?? null,
  attach: request.attach ?? null,
  sandbox: request.sandbox === true ? 1 : 0,
  extra: JSON.stringify(request.extra),
});

/** Whether a repeated request equals the one that placed the order. */
export function isSameRequest(row: OrderRow, request: OrderRequest): boolean {
  const { extra, ...columns } = requestRow(request);
  return (
    Object.entries(columns).every(([name, value]) => row[name as keyof typeof columns] === value) &&
    isDeepStrictEqual(JSON.parse(row.extra), JSON.parse(extra))
  );
}

/** A new order, with nothing but its request. */
export const freshRow = (request: OrderRequest, now: number) =>
  ({
    ...requestRow(request),
    notify_from: request.notifyFrom ?? null,
    expires_at: request.expiresAt ?? now + payableMs,
    created_at: now,
    prepay_id: "",
    prepay_expires_at: 0,
    transaction_id: request.version === "alipay" ? newTradeNo(now) : null,
    paid_at: null,
    ended_at: null,
    bank_type: null,
    payer: null,
    coupon_fee: 0,
    refunded: 0,
    refund_count: 0,
    last_refund_at: null,
    password_until: null,
    combined: null,
  }) satisfies Omit<Insertable<PayOrdersTable>, "trade_state">;

export const toRefund = (row: RefundRow): Refund => ({
  id: row.id,
  orderId: row.order_id,
  outRefundNo: row.out_refund_no,
  refundId: row.refund_id,
  total: row.total,
  refund: row.refund,
  currency: row.currency,
  reason: row.reason ?? undefined,
  notifyUrl: row.notify_url ?? undefined,
  notifyFrom: row.notify_from ?? undefined,
  account: row.account ?? undefined,
  version: row.version,
  status: row.status,
  couponFee: row.coupon_fee,
  createdAt: row.created_at,
  acceptedAt: row.redirected_at ?? row.created_at,
  finishedAt: row.finished_at ?? undefined,
  paidTo: row.paid_to ?? undefined,
});
