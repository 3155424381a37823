/** The lines of payments, reversals and refunds. */
import { availableOf, frozenOf, type Account, type Line } from "./book.ts";
import { wholeFeeOfCash } from "./fees.ts";

interface Paid {
  /** The merchant that gets the money. */
  readonly owner: string;
  /** Fen, coupons included. */
  readonly total: number;
  readonly couponFee: number;
  /** Whether the merchant's money waits before it can be used. */
  readonly isFrozen: boolean;
}

interface Returned {
  readonly owner: string;
  /** Fen, coupons included. */
  readonly refund: number;
  readonly couponFee: number;
  /** Fen of the merchant's money that earlier refunds of the order returned. */
  readonly cashBefore: number;
  /** Fen of the order that are frozen, and are spent first. */
  readonly frozen: number;
}

const line = (account: Account, fen: number): Line[] => (fen === 0 ? [] : [{ account, fen }]);

/** The buyer pays; the merchant gets all but coupons, and pays the fee. */
export function linesOfPayment({ owner, total, couponFee, isFrozen }: Paid): Line[] {
  const to = isFrozen ? frozenOf(owner) : availableOf(owner);
  const cash = total - couponFee;
  const fee = wholeFeeOfCash(cash);
  return [
    ...line("buyers", -total),
    ...line("coupons", couponFee),
    ...line(to, cash),
    ...line(to, -fee),
    ...line("fees", fee),
  ];
}

/** Only the sum of the fees returned for an order is rounded, so that a full refund returns exactly the fee. */
export function linesOfRefund({ owner, refund, couponFee, cashBefore, frozen }: Returned): Line[] {
  const cash = refund - couponFee;
  const fee = wholeFeeOfCash(cashBefore + cash) - wholeFeeOfCash(cashBefore);
  const paid = cash - fee;
  const fromFrozen = Math.min(paid, Math.max(0, frozen));
  return [
    ...line("buyers", refund),
    ...line("coupons", -couponFee),
    ...line(frozenOf(owner), -fromFrozen),
    ...line(availableOf(owner), fromFrozen - paid),
    ...line("fees", -fee),
  ];
}
