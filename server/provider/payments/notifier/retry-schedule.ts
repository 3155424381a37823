import type { PayWire } from "../../../contract/provider/payment-terms.ts";

/** Contract: payments, Notifications of version 2. */
const ofWeChatPay = [15, 30, 60, 240, 840, 2_040, 3_840, 5_640, 7_440, 11_040, 21_840, 32_640, 43_440, 65_040, 86_640];
/** After pauses of 4, 10 and 10 minutes, and of 1, 2, 6 and 15 hours. */
const ofAlipay = [240, 840, 1_440, 5_040, 12_240, 33_840, 87_840];

/** Seconds after the first delivery at which a notification that nobody accepted is sent again. */
const retrySeconds: Readonly<Record<PayWire, readonly number[]>> = {
  v2: ofWeChatPay,
  v3: ofWeChatPay,
  alipay: ofAlipay,
};

/** A minute more than the longest schedule: older notifications would have been given up. */
export const longestScheduleMs = Math.max(...Object.values(retrySeconds).flat()) * 1000 + 60_000;

/** A notification with the number of its failed attempts. */
interface Attempted {
  readonly version: PayWire;
  readonly attempts: number;
}

/** In whole ms. */
export interface Schedule {
  /** Unix ms when the schedule started: the first delivery, plus the time that the provider was not running. */
  readonly base: number;
  /** Unix ms of the next delivery; undefined if there is none. */
  readonly due: number | undefined;
}

/**
 * When to send again. If that time has passed, it is not made up for: its pause starts
 * now. So it does after the clock was put back to before the schedule: nothing waits for the future that was.
 * @param scale factor for all pauses
 */
export function nextDelivery(base: number, { version, attempts }: Attempted, now: number, scale: number): Schedule {
  const pauses = retrySeconds[version];
  const seconds = pauses[attempts - 1];
  if (seconds === undefined) return { base, due: undefined };
  const waitMs = Math.round(seconds * 1000 * scale);
  if (base <= now && base + waitMs >= now) return { base, due: base + waitMs };
  const sinceFirstMs = Math.round((pauses[attempts - 2] ?? 0) * 1000 * scale);
  return { base: now - sinceFirstMs, due: now - sinceFirstMs + waitMs };
}

/** Reschedules a pending notification when the factor for all pauses changes: its current pause is scaled. */
export function rescheduled(
  before: { base: number; due: number },
  { version, attempts }: Attempted,
  now: number,
  scale: number,
) {
  const seconds = retrySeconds[version][attempts - 1] ?? 0;
  const secondsBefore = retrySeconds[version][attempts - 2] ?? 0;
  // It has yet to begin where the last one was cut short by hand, or the clock was put back.
  const pauseBegan = Math.min(now, before.base + (before.due - before.base) * (secondsBefore / Math.max(seconds, 1)));
  const due = Math.round(Math.max(now, pauseBegan + (seconds - secondsBefore) * 1000 * scale));
  return { base: Math.round(due - seconds * 1000 * scale), due };
}
