/** The amounts of a bill's line, in fen. */
import { feeOfCash } from "../book/fees.ts";
import { cashOf, cashOfRefund } from "../ledger/coupon-parts.ts";
import type { Booking } from "../ledger/ledger.ts";

/** The part of the order that a line returns. */
interface Returned {
  /** The requested amount. */
  readonly asked: number;
  /** The merchant's money that moves; `coupons` are separate. */
  readonly cash: number;
  readonly coupons: number;
}

/** A closed refund was asked for, but moves nothing. */
export function returnedBy({ kind, order, refund }: Booking): Returned {
  if (kind === "payment") return { asked: 0, cash: 0, coupons: 0 };
  if (!refund) return { asked: order.total, cash: cashOf(order), coupons: order.couponFee };
  if (refund.status === "CLOSED") return { asked: refund.refund, cash: 0, coupons: 0 };
  return { asked: refund.refund, cash: cashOfRefund(refund), coupons: refund.couponFee };
}

/** The fee of a payment in thousandths of a fen; a refund returns it, as a negative one. */
export const feeOf = (booking: Booking): number =>
  feeOfCash(booking.kind === "payment" ? cashOf(booking.order) : -returnedBy(booking).cash);
