/** Splits orders and refunds into the buyer's money and coupons. Amounts are fen. */
import type { Order, Refund } from "./ledger.ts";

/** The money that the buyer paid and the merchant gets. */
export const cashOf = ({ total, couponFee }: Pick<Order, "total" | "couponFee">): number => total - couponFee;

/** The money that the merchant returns to the buyer. */
export const cashOfRefund = ({ refund, couponFee }: Pick<Refund, "refund" | "couponFee">): number => refund - couponFee;

/** Gives each part of a combined order its share of the coupons, one by one; together they come to exactly the coupons. */
export function couponSharer({ total, coupon_fee }: { readonly total: number; readonly coupon_fee: number }) {
  let before = 0;
  const shareOf = (fen: number) => Number((BigInt(coupon_fee) * BigInt(fen)) / BigInt(total));
  return (part: number): number => shareOf((before += part)) - shareOf(before - part);
}

/** All refunds of an order except closed ones. */
interface Refunded {
  readonly refunded: number;
  /** The coupons' part of it. */
  readonly couponFee: number;
}

/**
 * The coupons' part of the next refund. Only the sum of all parts is rounded, so that they come to exactly the coupons
 * once all is refunded. It is computed once, when the refund is accepted: a part that a merchant has received never changes.
 */
export function couponPart(
  { total, couponFee }: Pick<Order, "total" | "couponFee">,
  before: Refunded,
  refund: number,
): number {
  // The product may exceed what a number holds exactly.
  const share = Number((BigInt(couponFee) * BigInt(before.refunded + refund)) / BigInt(total));
  // Closed refunds may have taken more or less than their share out of the sum.
  return Math.min(Math.max(share - before.couponFee, 0), refund);
}
