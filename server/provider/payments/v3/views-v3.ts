/** Orders and refunds as version 3 writes them, in replies to queries and, encrypted, in notifications. */
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { TradeState } from "../../../contract/provider/payment-terms.ts";
import { cashOf, cashOfRefund } from "../ledger/coupon-parts.ts";
import type { Order, Refund } from "../ledger/ledger.ts";
import { subMerchantOf } from "../partner/sub-merchant.ts";
import { fundsOf, receivingAccount, refundChannel } from "../ledger/refund-accounts.ts";

const descriptions: Readonly<Record<TradeState, string>> = {
  SUCCESS: "支付成功",
  REFUND: "转入退款",
  NOTPAY: "订单未支付",
  CLOSED: "订单已关闭",
  REVOKED: "订单已撤销",
  USERPAYING: "用户支付中",
  PAYERROR: "支付失败",
};

/** The order in the reply to a query, and in the notification of a payment. */
export function orderV3(order: Order) {
  const { currency, total, transactionId, paidAt, attach } = order;
  const paid = transactionId !== undefined;
  const deviceId = (order.extra["scene_info"] as { device_id?: string } | undefined)?.device_id;
  return {
    ...ownersOf(order),
    out_trade_no: order.outTradeNo,
    ...(paid && { transaction_id: transactionId, trade_type: order.tradeType }),
    trade_state: order.tradeState,
    trade_state_desc: descriptions[order.tradeState],
    ...(paid && { bank_type: order.bankType ?? "OTHERS" }),
    ...(attach !== undefined && { attach }),
    ...(paidAt !== undefined && { success_time: offsetTime(paidAt) }),
    payer: payerOf(order),
    amount: {
      total,
      ...(paid && { payer_total: cashOf(order) }),
      currency,
      payer_currency: currency,
    },
    ...(paid && { promotion_detail: order.couponFee > 0 ? [coupon(order)] : [] }),
    ...(paid && deviceId !== undefined && { scene_info: { device_id: deviceId } }),
  };
}

function ownersOf({ appId, mchId, ...order }: Order) {
  const sub = subMerchantOf(order);
  if (!sub) return { appid: appId, mchid: mchId };
  const { sub_mchid, sub_appid } = sub;
  return { sp_appid: appId, sp_mchid: mchId, ...(sub_appid !== undefined && { sub_appid }), sub_mchid };
}

function payerOf(order: Order) {
  const openid = order.openid ?? order.payer;
  if (openid === undefined) return {};
  const sub = subMerchantOf(order);
  if (!sub) return { openid };
  const { sub_openid } = sub;
  return { ...(openid !== sub_openid && { sp_openid: openid }), ...(sub_openid !== undefined && { sub_openid }) };
}

export const coupon = ({ id, couponFee, currency }: Order) => ({
  coupon_id: String(id),
  name: "Coupon",
  scope: "GLOBAL",
  type: "CASH",
  amount: couponFee,
  wechatpay_contribute: couponFee,
  merchant_contribute: 0,
  other_contribute: 0,
  currency,
});

const couponRefund = ({ id, couponFee }: Order, refund: Refund) => ({
  promotion_id: String(id),
  scope: "GLOBAL",
  type: "COUPON",
  amount: couponFee,
  refund_amount: refund.couponFee,
});

const refundAmounts = (refund: Refund, order: Order) => ({
  total: refund.total,
  refund: refund.refund,
  payer_total: cashOf(order),
  payer_refund: cashOfRefund(refund),
});

/** The refund in the reply to a refund call, and to its query. */
export function refundV3(refund: Refund, order: Order) {
  return {
    refund_id: refund.refundId,
    out_refund_no: refund.outRefundNo,
    transaction_id: order.transactionId ?? "",
    out_trade_no: order.outTradeNo,
    channel: refundChannel(refund),
    user_received_account: receivingAccount(refund),
    ...successTime(refund),
    create_time: offsetTime(refund.createdAt),
    status: refund.status,
    funds_account: fundsOf(refund).v3,
    amount: {
      ...refundAmounts(refund, order),
      from: [],
      settlement_refund: cashOfRefund(refund),
      settlement_total: cashOf(order),
      discount_refund: refund.couponFee,
      currency: refund.currency,
      refund_fee: 0,
    },
    promotion_detail: refund.couponFee > 0 ? [couponRefund(order, refund)] : [],
  };
}

/** The refund in a refund notification. */
export const refundNoticeV3 = (refund: Refund, order: Order) => ({
  ...noticeOwners(order),
  transaction_id: order.transactionId ?? "",
  out_trade_no: order.outTradeNo,
  refund_id: refund.refundId,
  out_refund_no: refund.outRefundNo,
  refund_status: refund.status,
  ...successTime(refund),
  user_received_account: receivingAccount(refund),
  amount: refundAmounts(refund, order),
});

function noticeOwners(order: Order) {
  const sub = subMerchantOf(order);
  return sub ? { sp_mchid: order.mchId, sub_mchid: sub.sub_mchid } : { mchid: order.mchId };
}

const successTime = ({ status, finishedAt }: Refund) =>
  status === "SUCCESS" && finishedAt !== undefined ? { success_time: offsetTime(finishedAt) } : {};
