/** The columns of a bill and their content. */
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";
import { cashOf } from "../ledger/coupon-parts.ts";
import type { Booking } from "../ledger/ledger.ts";
import { refundChannel } from "../ledger/refund-accounts.ts";
import { feeRate } from "../book/fees.ts";
import { subMerchantOf } from "../partner/sub-merchant.ts";
import { feeOf, returnedBy } from "./booking-amounts.ts";

/** Lines of a bill: all, payments or refunds. RECHARGE_REFUND: refunds from the merchant's own balance. */
export const billTypes = ["ALL", "SUCCESS", "REFUND", "RECHARGE_REFUND"] as const;
export type BillType = (typeof billTypes)[number];

const orderColumns =
  "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额";
const refundTimeColumns = "退款申请时间,退款成功时间";
const refundColumns = "微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态";
const endColumns = "商品名称,商户数据包,手续费,费率,订单金额";

export const billSummaryColumns = [
  "总交易单数",
  "应结订单总金额",
  "退款总金额",
  "充值券退款总金额",
  "手续费总金额",
  "订单总金额",
  "申请退款总金额",
];

/** Only bills of refunds state when each was requested and completed; bills of payments contain no refunds. */
const parts: Record<BillType, readonly string[]> = {
  ALL: [orderColumns, refundColumns, endColumns, "申请退款金额", "费率备注"],
  SUCCESS: [orderColumns, endColumns, "费率备注"],
  REFUND: [orderColumns, refundTimeColumns, refundColumns, endColumns, "申请退款金额", "费率备注"],
  RECHARGE_REFUND: [orderColumns, refundTimeColumns, refundColumns, endColumns, "申请退款金额", "费率备注"],
};

export const billColumns = (type: BillType): string[] => parts[type].flatMap((part) => part.split(","));

const feeText = (thousandths: number) => (thousandths / 100_000).toFixed(5);

const stateNames = { payment: "SUCCESS", refund: "REFUND", reversal: "REVOKED" } as const;
const refundStates = { PROCESSING: "PROCESSING", SUCCESS: "SUCCESS", ABNORMAL: "CHANGE", CLOSED: "FAIL" } as const;

const text = (value: unknown) => (typeof value === "string" ? value : "");

function orderCells({ kind, at, order }: Booking): string[] {
  const isPayment = kind === "payment";
  return [
    spacedTime(at),
    order.appId,
    order.mchId,
    subMerchantOf(order)?.sub_mchid ?? "0",
    text(order.extra["device_info"]),
    order.transactionId ?? "",
    order.outTradeNo,
    order.payer ?? "",
    order.tradeType,
    stateNames[kind],
    order.bankType ?? "",
    order.currency,
    yuanText(isPayment ? cashOf(order) : 0),
    yuanText(isPayment ? order.couponFee : 0),
  ];
}

function refundCells(booking: Booking): string[] {
  const { kind, refund } = booking;
  if (kind === "payment") return ["0", "0", "0.00", "0.00", "", ""];
  const { cash, coupons } = returnedBy(booking);
  return [
    refund?.refundId ?? "0",
    refund?.outRefundNo ?? "0",
    yuanText(cash),
    yuanText(coupons),
    refund ? refundChannel(refund) : "ORIGINAL",
    refund ? refundStates[refund.status] : "SUCCESS",
  ];
}

const refundTimes = ({ kind, at, refund }: Booking): string[] => {
  const done = refund?.status === "SUCCESS" ? refund.finishedAt : refund ? undefined : at;
  return kind === "payment" ? ["", ""] : [spacedTime(at), done === undefined ? "" : spacedTime(done)];
};

const endCells = (booking: Booking): string[] => [
  booking.order.description,
  booking.order.attach ?? "",
  feeText(feeOf(booking)),
  `${(feeRate / 100).toFixed(2)}%`,
  yuanText(booking.kind === "payment" ? booking.order.total : 0),
];

/** The cells of one line, in the order of `billColumns`. */
export function billRow(booking: Booking, type: BillType): string[] {
  if (type === "SUCCESS") return [...orderCells(booking), ...endCells(booking), ""];
  const times = type === "ALL" ? [] : refundTimes(booking);
  return [
    ...orderCells(booking),
    ...times,
    ...refundCells(booking),
    ...endCells(booking),
    yuanText(returnedBy(booking).asked),
    "",
  ];
}

/** The cells under `billSummaryColumns`. */
export function summaryOf(booked: readonly Booking[]): string[] {
  const sum = (value: (booking: Booking) => number) => booked.reduce((total, booking) => total + value(booking), 0);
  const paid = (value: (order: Booking["order"]) => number) =>
    sum((booking) => (booking.kind === "payment" ? value(booking.order) : 0));
  const returned = (part: keyof ReturnType<typeof returnedBy>) => yuanText(sum((booking) => returnedBy(booking)[part]));
  return [
    String(booked.length),
    yuanText(paid(cashOf)),
    returned("cash"),
    returned("coupons"),
    feeText(sum(feeOf)),
    yuanText(paid(({ total }) => total)),
    returned("asked"),
  ];
}
