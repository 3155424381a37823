/** Combined orders in replies to queries and, encrypted, in notifications. */
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import { cashOf } from "../ledger/coupon-parts.ts";
import type { Order } from "../ledger/ledger.ts";
import { subMerchantOf } from "../partner/sub-merchant.ts";
import { coupon } from "../v3/views-v3.ts";

export function combinedOrderV3(order: Order, parts: readonly Order[]) {
  const { transactionId } = order;
  const paid = transactionId !== undefined;
  const deviceId = (order.extra["scene_info"] as { device_id?: string } | undefined)?.device_id;
  const openid = order.openid ?? order.payer;
  return {
    combine_appid: order.appId,
    combine_mchid: order.mchId,
    combine_out_trade_no: order.outTradeNo,
    ...(paid && { combine_transaction_id: transactionId }),
    ...(deviceId !== undefined && { scene_info: { device_id: deviceId } }),
    sub_orders: parts.map(partV3),
    ...(paid && openid !== undefined && { combine_payer_info: { openid } }),
  };
}

function partV3(part: Order) {
  const { transactionId, paidAt, attach, currency, total } = part;
  const paid = transactionId !== undefined;
  return {
    mchid: part.mchId,
    ...subMerchantOf(part),
    out_trade_no: part.outTradeNo,
    trade_type: part.tradeType,
    trade_state: part.tradeState,
    ...(attach !== undefined && { attach }),
    ...(paid && { transaction_id: transactionId, bank_type: part.bankType ?? "OTHERS" }),
    ...(paidAt !== undefined && { success_time: offsetTime(paidAt) }),
    amount: { total_amount: total, currency, payer_amount: cashOf(part), payer_currency: currency },
    ...(part.couponFee > 0 && { promotion_detail: [coupon(part)] }),
  };
}
