/** The content of notifications about an order or a refund, in the format of the version that placed it. */
import { randomUUID } from "node:crypto";
import { newNonce } from "../../../payment-wire/new-nonce.ts";
import { compactTime, offsetTime, spacedTime } from "../../../payment-wire/provider-time.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import type { NotificationContent } from "../faults/notification-faults.ts";
import { noticeOfTrade } from "../alipay/trade-notice.ts";
import { combinedOrderV3 } from "../combined/combined-views-v3.ts";
import { cashOf, cashOfRefund } from "../ledger/coupon-parts.ts";
import type { Order, Refund } from "../ledger/ledger.ts";
import { fundsOf, receivingAccount } from "../ledger/refund-accounts.ts";
import { subMerchantFields, subMerchantOf } from "../partner/sub-merchant.ts";
import { couponFields, refundStates } from "../v2/order-fields.ts";
import { orderV3, refundNoticeV3 } from "../v3/views-v3.ts";

type V3Content = Extract<NotificationContent, { version: "v3" }>;

export interface NotificationOccasion {
  readonly order: Order;
  /** For a refund notification. */
  readonly refund?: Refund | undefined;
  /** Unix ms. */
  readonly at: number;
  /** Whether version 2 names the signature's type where it is not the usual one. */
  readonly namesSignType: boolean;
}

/** Includes a nonce and, in version 3, its own id. A retry repeats the content with both. */
export function contentOf({ order, refund, at, namesSignType }: NotificationOccasion): NotificationContent {
  if (order.version === "alipay") return noticeOfTrade(order, refund, at);
  if (refund === undefined) return order.version === "v2" ? paymentV2(order, at, namesSignType) : paymentV3(order, at);
  return refund.version === "v2" ? refundV2(order, refund) : refundV3(order, refund, at);
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
/** Omits fields without a value. */
const filled = (fields: FieldsV2): FieldsV2 =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
const payerOf = (order: Order) => order.openid ?? order.payer ?? "";

function paymentV2(order: Order, at: number, namesSignType: boolean): NotificationContent {
  const sub = subMerchantOf(order);
  const fields = filled({
    return_code: "SUCCESS",
    appid: order.appId,
    mch_id: order.mchId,
    ...subMerchantFields(sub),
    device_info: text(order.extra["device_info"]),
    nonce_str: newNonce(),
    sign_type: namesSignType && order.signType !== "MD5" ? order.signType : "",
    result_code: "SUCCESS",
    openid: payerOf(order),
    is_subscribe: "N",
    ...(sub?.sub_openid && { sub_openid: sub.sub_openid, sub_is_subscribe: "N" }),
    trade_type: order.tradeType,
    bank_type: order.bankType ?? "OTHERS",
    total_fee: String(order.total),
    fee_type: order.currency,
    cash_fee: String(cashOf(order)),
    ...couponFields(order.couponFee),
    transaction_id: order.transactionId ?? "",
    out_trade_no: order.outTradeNo,
    attach: order.attach ?? "",
    time_end: compactTime(order.paidAt ?? at),
    ...(order.tradeType === "PAP" && { trade_state: "SUCCESS", contract_id: text(order.extra["contract_id"]) }),
  });
  return { version: "v2", about: "payment", fields };
}

function refundV2(order: Order, refund: Refund): NotificationContent {
  const fields = {
    return_code: "SUCCESS",
    appid: order.appId,
    mch_id: order.mchId,
    ...subMerchantFields(subMerchantOf(order)),
    nonce_str: newNonce(),
  };
  const info = filled({
    transaction_id: order.transactionId ?? "",
    out_trade_no: order.outTradeNo,
    refund_id: refund.refundId,
    out_refund_no: refund.outRefundNo,
    total_fee: String(refund.total),
    settlement_total_fee: String(cashOf(order)),
    refund_fee: String(refund.refund),
    settlement_refund_fee: String(cashOfRefund(refund)),
    refund_status: refundStates[refund.status],
    success_time: refund.status === "SUCCESS" && refund.finishedAt !== undefined ? spacedTime(refund.finishedAt) : "",
    refund_recv_accout: receivingAccount(refund), // sic
    refund_account: fundsOf(refund).v2,
    refund_request_source: "API",
  });
  return { version: "v2", about: "refund", fields, info };
}

function envelope(event: string, summary: string, at: number): V3Content["envelope"] {
  return {
    id: randomUUID(),
    create_time: offsetTime(at),
    resource_type: "encrypt-resource",
    event_type: event,
    summary,
  };
}

/** Does not depend on the order's state: a forged notification has the same content. */
function paymentV3(order: Order, at: number): NotificationContent {
  const paid = (one: Order): Order => ({ ...one, tradeState: "SUCCESS", paidAt: one.paidAt ?? at });
  return {
    version: "v3",
    about: "payment",
    envelope: envelope("TRANSACTION.SUCCESS", "支付成功", at),
    resource: order.parts ? combinedOrderV3(paid(order), order.parts.map(paid)) : orderV3(paid(order)),
    originalType: "transaction",
    associatedData: "transaction",
  };
}

const refundSummaries = {
  PROCESSING: "退款处理中",
  SUCCESS: "退款成功",
  ABNORMAL: "退款异常",
  CLOSED: "退款关闭",
};

function refundV3(order: Order, refund: Refund, at: number): NotificationContent {
  return {
    version: "v3",
    about: "refund",
    envelope: envelope(`REFUND.${refund.status}`, refundSummaries[refund.status], at),
    resource: refundNoticeV3(refund, order),
    originalType: "refund",
    associatedData: "refund",
  };
}
