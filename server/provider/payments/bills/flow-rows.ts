/** The columns of a bill of the money that moved in a merchant's account, and their content. */
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import { cashOf } from "../ledger/coupon-parts.ts";
import type { Booking } from "../ledger/ledger.ts";
import { returnedBy, wholeFeeOfCash } from "./booking-amounts.ts";

export const flowColumns =
  "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号".split(
    ",",
  );
export const flowSummaryColumns = ["资金流水总笔数", "收入笔数", "收入金额", "支出笔数", "支出金额"];

/** A movement of money; positive fen come in. */
export interface Flow {
  readonly booking: Booking;
  readonly name: "交易" | "退款";
  readonly type: "交易" | "退款" | "扣除交易手续费";
  readonly fen: number;
}

/**
 * Payments less their fees, and refunds less the fees that they return; lines that move no money are omitted. Only the sum
 * of the fees returned for an order is rounded, so that a full refund returns exactly the fee.
 * @param bookings from the first one of each order on
 */
export function flowsOf(bookings: readonly Booking[]): Flow[] {
  const returned = new Map<number, number>();
  return bookings.flatMap((booking): Flow[] => {
    const { order } = booking;
    if (booking.kind === "payment") {
      const fee = wholeFeeOfCash(cashOf(order));
      const paid: Flow = { booking, name: "交易", type: "交易", fen: cashOf(order) };
      return fee === 0 ? [paid] : [paid, { booking, name: "交易", type: "扣除交易手续费", fen: -fee }];
    }
    const { cash } = returnedBy(booking);
    if (cash === 0) return [];
    const before = returned.get(order.id) ?? 0;
    returned.set(order.id, before + cash);
    const fee = wholeFeeOfCash(before + cash) - wholeFeeOfCash(before);
    return [{ booking, name: "退款", type: "退款", fen: fee - cash }];
  });
}

const yuan = (fen: number) => (fen / 100).toFixed(2);

/** @param balance fen in the account behind it @param number of the movement in the bill */
export function flowRow({ booking, name, type, fen }: Flow, balance: number, number: number): string[] {
  const { at, order, refund } = booking;
  return [
    spacedTime(at),
    refund?.refundId ?? order.transactionId ?? "",
    `${order.transactionId ?? ""}${String(number)}`,
    name,
    type,
    fen >= 0 ? "收入" : "支出",
    yuan(Math.abs(fen)),
    yuan(balance),
    refund ? `${order.mchId}API` : "system",
    booking.kind === "payment" ? order.description : `退款总金额${yuan(returnedBy(booking).cash)}元`,
    refund?.outRefundNo ?? order.outTradeNo,
  ];
}

export function flowSummary(flows: readonly Flow[]): string[] {
  const [incoming, outgoing] = [flows.filter(({ fen }) => fen >= 0), flows.filter(({ fen }) => fen < 0)];
  const sum = (some: readonly Flow[]) => yuan(Math.abs(some.reduce((total, { fen }) => total + fen, 0)));
  return [flows.length, incoming.length, sum(incoming), outgoing.length, sum(outgoing)].map(String);
}
