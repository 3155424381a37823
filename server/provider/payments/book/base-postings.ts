/** The lines of payments, reversals and refunds. */
import { availableOf, type Account, type Line } from "./book.ts";
import { wholeFeeOfCash } from "./fees.ts";

interface Paid {
  readonly mchId: string;
  /** Fen, coupons included. */
  readonly total: number;
  readonly couponFee: number;
}

interface Returned {
  readonly mchId: string;
  /** Fen, coupons included. */
  readonly refund: number;
  readonly couponFee: number;
  /** Fen of the merchant's money that earlier refunds of the order returned. */
  readonly cashBefore: number;
}

const moving = (account: Account, fen: number): Line[] => (fen === 0 ? [] : [{ account, fen }]);

/** The buyer pays; the merchant gets all but coupons, and pays the fee. @param to where the merchant's money goes */
export function linesOfPayment({ mchId, total, couponFee }: Paid, to = availableOf(mchId)): Line[] {
  const cash = total - couponFee;
  const fee = wholeFeeOfCash(cash);
  return [
    ...moving("buyers", -total),
    ...moving("coupons", couponFee),
    ...moving(to, cash),
    ...moving(to, -fee),
    ...moving("fees", fee),
  ];
}

/** Only the sum of the fees returned for an order is rounded, so that a full refund returns exactly the fee. */
export function linesOfRefund(returned: Returned, from = availableOf(returned.mchId)): Line[] {
  const { refund, couponFee, cashBefore } = returned;
  const cash = refund - couponFee;
  const fee = wholeFeeOfCash(cashBefore + cash) - wholeFeeOfCash(cashBefore);
  return [
    ...moving("buyers", refund),
    ...moving("coupons", -couponFee),
    ...moving(from, fee - cash),
    ...moving("fees", -fee),
  ];
}
