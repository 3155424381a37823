/** The amounts of a bill's line, in fen. */
import type { Booking } from "../ledger/ledger.ts";

/** The platform's fee in ten thousandths of an amount (our choice: what most merchants pay). */
export const feeRate = 60;

/** What the merchant gets of an order: without the platform's coupons. */
export const settledOf = ({ total, couponFee }: Booking["order"]) => total - couponFee;

/** The fee of a payment; a refund returns it, as a negative one. A fraction of a fen may be in it. */
export const feeOf = ({ kind, order, refund }: Booking) =>
  ((kind === "payment" ? settledOf(order) : -(refund?.refund ?? settledOf(order))) * feeRate) / 10_000;

/** What this line returns of the order. */
export function returnedBy({ kind, order, refund }: Booking): number {
  if (kind === "payment") return 0;
  return refund ? refund.refund : settledOf(order);
}
