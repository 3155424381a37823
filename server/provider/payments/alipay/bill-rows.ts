/** The content of Alipay's bills: one file of lines, and one of their sums. */
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import { feeOf, returnedBy } from "../bills/booking-amounts.ts";
import { cashOf } from "../ledger/coupon-parts.ts";
import type { Booking } from "../ledger/ledger.ts";
import { alipayAccount } from "./alipay-account.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";
import { outRequestNoOf } from "./refund-numbers.ts";
import { buyerOf } from "./trade-status.ts";

/** Unix ms. */
export interface BillPeriod {
  readonly start: number;
  readonly end: number;
}

const lineColumns =
  "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";
const sumColumns =
  "门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）,支付宝优惠（元）,商家优惠（元）,卡消费金额（元）,服务费（元）,分润（元）,实收净额（元）";

/** Characters that would end the cell or the row are replaced by spaces. */
const cell = (text: string) => text.replace(/[,\r\n\t]+/g, " ");
const fee = (bookings: readonly Booking[]) =>
  yuanText(-Math.round(bookings.reduce((sum, booking) => sum + feeOf(booking), 0) / 1000));

/** Fen of the order, of the merchant's money and of coupons; what is returned is negative. */
function amountsOf(booking: Booking) {
  const { order } = booking;
  if (booking.kind === "payment") return { asked: order.total, cash: cashOf(order), coupons: order.couponFee };
  const { asked, cash, coupons } = returnedBy(booking);
  return { asked: -asked, cash: -cash, coupons: -coupons };
}

function lineOf(booking: Booking): string {
  const { kind, at, order, refund } = booking;
  const { asked, cash, coupons } = amountsOf(booking);
  const zero = yuanText(0);
  return [
    `${order.transactionId ?? ""}\t`,
    `${order.outTradeNo}\t`,
    kind === "payment" ? "交易" : "退款",
    cell(order.description),
    spacedTime(order.createdAt),
    spacedTime(at),
    ...["", "", "", ""],
    buyerOf(order)?.logonId ?? "",
    ...[yuanText(asked), yuanText(cash), yuanText(coupons), zero, zero, zero, zero, "", zero, zero],
    refund ? outRequestNoOf(refund) : "",
    ...[fee([booking]), zero, ""],
  ].join(",");
}

function sumOf(bookings: readonly Booking[], part: keyof ReturnType<typeof amountsOf>): number {
  return bookings.reduce((sum, booking) => sum + amountsOf(booking)[part], 0);
}

const dated = (at: number) => spacedTime(at).replace(/^(\d+)-(\d+)-(\d+)/, "$1年$2月$3日");
const head = (title: string, { start, end }: BillPeriod) => [
  `#${title}`,
  `#账号：[${alipayAccount.sellerId}0156]`,
  `#起始日期：[${dated(start)}]   终止日期：[${dated(end)}]`,
];

/** @param at Unix ms */
export function billLines(bookings: readonly Booking[], period: BillPeriod, at: number): string {
  const [paid, returned] = [true, false].map((isPayment) =>
    bookings.filter(({ kind }) => (kind === "payment") === isPayment),
  ) as [Booking[], Booking[]];
  return [
    ...head("支付宝业务明细查询", period),
    "#-----------------------------------------业务明细列表----------------------------------------",
    lineColumns,
    ...bookings.map(lineOf),
    "#-----------------------------------------业务明细列表结束------------------------------------",
    `#交易合计：${String(paid.length)}笔，商家实收共${yuanText(sumOf(paid, "cash"))}元，商家优惠共0.00元`,
    `#退款合计：${String(returned.length)}笔，商家实收退款共${yuanText(sumOf(returned, "cash"))}元，商家优惠退款共0.00元`,
    `#导出时间：[${dated(at)}]`,
    "",
  ].join("\r\n");
}

/** @param at Unix ms */
export function billSums(bookings: readonly Booking[], period: BillPeriod, at: number): string {
  const payments = bookings.filter(({ kind }) => kind === "payment").length;
  const zero = yuanText(0);
  const cash = yuanText(sumOf(bookings, "cash"));
  return [
    ...head("支付宝业务汇总查询", period),
    "#-----------------------------------------业务汇总列表----------------------------------------",
    sumColumns,
    [
      ...["合计", "", String(payments), String(bookings.length - payments), yuanText(sumOf(bookings, "asked")), cash],
      ...[yuanText(sumOf(bookings, "coupons")), zero, zero, fee(bookings), zero, cash],
    ].join(","),
    "#-----------------------------------------业务汇总列表结束------------------------------------",
    `#导出时间：[${dated(at)}]`,
    "",
  ].join("\r\n");
}
