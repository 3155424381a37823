/** The columns of a bill of the money that moved in a merchant's account, and their content. */
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import type { Booking } from "../ledger/ledger.ts";
import { returnedBy } from "./booking-amounts.ts";

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

/** Fen that the book moved in the merchant's accounts; lines that move no money are omitted. */
export const flowsOf = (bookings: readonly Booking[]): Flow[] =>
  bookings.flatMap((booking) =>
    booking.moved.map((fen, index): Flow => {
      if (booking.kind !== "payment") return { booking, name: "退款", type: "退款", fen };
      return { booking, name: "交易", type: index === 0 ? "交易" : "扣除交易手续费", fen };
    }),
  );

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
