/** The fields about an order in version 2 replies. */
import type { RefundStatus, TradeState } from "../../../contract/provider/payment-terms.ts";
import { compactTime } from "../../../payment-wire/provider-time.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import { subMerchantOf } from "../partner/sub-merchant.ts";
import { cashOf } from "../ledger/coupon-parts.ts";
import type { Order, Refund } from "../ledger/ledger.ts";

const stateTexts: Record<TradeState, string> = {
  SUCCESS: "支付成功",
  REFUND: "订单发生过退款，退款详情请查询退款单",
  NOTPAY: "订单未支付",
  CLOSED: "订单已关闭",
  REVOKED: "订单已撤销",
  USERPAYING: "用户支付中",
  PAYERROR: "支付失败",
};

/** Version 2's names for the states of a refund. */
export const refundStates: Record<RefundStatus, string> = {
  PROCESSING: "PROCESSING",
  SUCCESS: "SUCCESS",
  ABNORMAL: "CHANGE",
  CLOSED: "REFUNDCLOSE",
};

/** The coupons of a payment, if any: one, or two if the amount can be divided. */
export function couponFields(couponFee: number): FieldsV2 {
  if (couponFee === 0) return {};
  const half = Math.ceil(couponFee / 2);
  const fees = couponFee === 1 ? [1] : [half, couponFee - half];
  return {
    coupon_fee: String(couponFee),
    coupon_count: String(fees.length),
    ...Object.fromEntries(
      fees.flatMap((fee, index) => [
        [`coupon_id_${String(index)}`, String(10_000 + index)],
        [`coupon_type_${String(index)}`, "CASH"],
        [`coupon_fee_${String(index)}`, String(fee)],
      ]),
    ),
  };
}

/** The part of a refund that returns to coupons. */
export const couponRefundFields = ({ couponFee }: Refund): FieldsV2 => ({
  coupon_refund_fee: String(couponFee),
  coupon_refund_count: couponFee > 0 ? "1" : "0",
});

/** The terminal that the merchant named. */
export function deviceField({ extra }: Pick<Order, "extra">): FieldsV2 {
  const { device_info } = extra;
  return typeof device_info === "string" && device_info !== "" ? { device_info } : {};
}

/** The buyer in the sub-merchant's app. */
function subBuyerFields(order: Order): FieldsV2 {
  const sub_openid = subMerchantOf(order)?.sub_openid;
  return sub_openid === undefined ? {} : { sub_openid, sub_is_subscribe: "N" };
}

/** Fields of a paid order. */
export const paymentFields = (order: Order): FieldsV2 => ({
  openid: order.payer ?? order.openid ?? "",
  is_subscribe: "N",
  trade_type: order.tradeType,
  bank_type: order.bankType ?? "",
  total_fee: String(order.total),
  ...(order.couponFee > 0 && { settlement_total_fee: String(cashOf(order)) }),
  fee_type: order.currency,
  cash_fee: String(cashOf(order)),
  cash_fee_type: order.currency,
  ...couponFields(order.couponFee),
  transaction_id: order.transactionId ?? "",
  out_trade_no: order.outTradeNo,
  attach: order.attach ?? "",
  time_end: order.paidAt === undefined ? "" : compactTime(order.paidAt),
});

/** The fields of a query's reply. Beyond the state, they are only given for an order that is paid or was refunded. */
export const queryFields = (order: Order): FieldsV2 => ({
  trade_state: order.tradeState,
  trade_state_desc: stateTexts[order.tradeState],
  out_trade_no: order.outTradeNo,
  attach: order.attach ?? "",
  ...deviceField(order),
  ...((order.tradeState === "SUCCESS" || order.tradeState === "REFUND") && {
    ...paymentFields(order),
    ...subBuyerFields(order),
  }),
});
