/** The asynchronous notifications of Alipay. */
import { randomUUID, type KeyLike } from "node:crypto";
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import { signAlipayForm, type AlipayParams } from "../../../payment-wire/sign-alipay.ts";
import type { NotificationContent, NotificationMessage } from "../faults/notification-faults.ts";
import { cashOf } from "../ledger/coupon-parts.ts";
import type { Order, Refund } from "../ledger/ledger.ts";
import { alipayAccount } from "./alipay-account.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";
import { outRequestNoOf } from "./refund-numbers.ts";
import { buyerOf, tradeStatusOf } from "./trade-status.ts";

const filled = (fields: Readonly<Record<string, string | undefined>>): AlipayParams =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]])),
  );

const text = (value: unknown) => (typeof value === "string" ? value : undefined);
const timeOf = (at: number | undefined) => (at === undefined ? undefined : spacedTime(at));

function paidFields(order: Order): Readonly<Record<string, string | undefined>> {
  if (order.paidAt === undefined) return {};
  const cash = yuanText(cashOf(order));
  const bills = [
    { amount: cash, fundChannel: "ALIPAYACCOUNT" },
    ...(order.couponFee > 0 ? [{ amount: yuanText(order.couponFee), fundChannel: "COUPON" }] : []),
  ];
  return {
    gmt_payment: timeOf(order.paidAt),
    receipt_amount: cash,
    buyer_pay_amount: cash,
    invoice_amount: cash,
    point_amount: yuanText(0),
    fund_bill_list: JSON.stringify(bills),
  };
}

/** @param at Unix ms */
export function noticeOfTrade(order: Order, refund: Refund | undefined, at: number): NotificationContent {
  const buyer = buyerOf(order);
  const status = tradeStatusOf(order, at);
  const fields = filled({
    notify_time: spacedTime(at),
    notify_type: "trade_status_sync",
    notify_id: `${spacedTime(at).slice(0, 10).replaceAll("-", "")}${randomUUID().replaceAll("-", "")}`.slice(0, 34),
    charset: "utf-8",
    version: "1.0",
    app_id: order.appId,
    auth_app_id: order.appId,
    seller_id: order.mchId,
    seller_email: alipayAccount.sellerEmail,
    buyer_id: buyer?.userId,
    buyer_open_id: buyer?.openId,
    buyer_logon_id: buyer?.logonId,
    trade_no: order.transactionId,
    out_trade_no: order.outTradeNo,
    trade_status: status,
    total_amount: yuanText(order.total),
    subject: order.description,
    body: text(order.extra["body"]),
    passback_params: order.attach,
    gmt_create: spacedTime(order.createdAt),
    ...paidFields(order),
    gmt_close: status === "TRADE_CLOSED" ? timeOf(order.endedAt ?? refund?.finishedAt) : undefined,
    ...(refund && {
      out_biz_no: outRequestNoOf(refund),
      refund_fee: yuanText(order.refunded),
      gmt_refund: timeOf(refund.finishedAt),
      refund_status: refund.status === "SUCCESS" ? "REFUND_SUCCESS" : undefined,
    }),
  });
  return { version: "alipay", about: refund ? "refund" : "payment", fields };
}

export async function writeTradeNotice(fields: AlipayParams, key: KeyLike): Promise<NotificationMessage> {
  return {
    headers: { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8", "User-Agent": "Mozilla/4.0" },
    body: String(new URLSearchParams(await signAlipayForm(fields, key))),
  };
}
