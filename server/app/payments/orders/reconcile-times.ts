/** The times of the next inquiry about an order or a refund (contract: payments, Reconcile). */
import type { BuyerTradeType } from "../../../contract/provider/payment-terms.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Times since its creation; hourly after the last one. */
const spacing = [10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 30 * minute];
/** The buyer's time to type a password; after it the payment is reversed. */
export const codePaymentMs = 45 * second;
/** No inquiry is planned later. */
export const longestInquiryPauseMs = hour;
const codeSpacing = [10 * second, 20 * second, 30 * second, 40 * second, codePaymentMs];
/** A reversal is repeated until the provider confirms it. */
export const reversalAgainMs = 10 * second;

interface Waiting {
  readonly tradeType?: BuyerTradeType;
  /** Unix ms. */
  readonly createdAt: number;
  readonly expiresAt?: number;
}

/** The next time, in Unix ms: by the intervals, and at the order's expiry, when it is closed. */
export function nextInquiryAt({ tradeType, createdAt, expiresAt = 0 }: Waiting, now: number): number {
  const offsets = tradeType === "MICROPAY" ? [...codeSpacing, ...spacing] : spacing;
  const next = offsets.map((offset) => createdAt + offset).find((at) => at > now) ?? Infinity;
  const soon = Math.min(next, now + longestInquiryPauseMs);
  return expiresAt > now ? Math.min(soon, expiresAt) : soon;
}
