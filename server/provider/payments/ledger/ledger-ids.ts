/** Numbers that the platform gives out, in the forms of the real ones. */
import { randomInt, randomUUID } from "node:crypto";
import { compactTime } from "../../../payment-wire/provider-time.ts";

const dayMs = 24 * 3_600_000;
const utcPlus8Ms = 8 * 3_600_000;
const counts = 10 ** 10;

/** Goes on from anywhere: a run has each of them once, and another run hardly ever has the same at the same time. */
let count = randomInt(counts);

/**
 * Around the day: five of its time, and ten of a count. Unique without asking
 * the database for the last one, and side by side in its indexes.
 */
function datedNumber(prefix: string, at: number): string {
  const time = Math.floor((((at + utcPlus8Ms) % dayMs) / dayMs) * 100_000);
  count = (count + 1) % counts;
  return `${prefix}${digits(time, 5)}${compactTime(at).slice(0, 8)}${digits(count, 10)}`;
}

const digits = (value: number, length: number) => String(value).padStart(length, "0");

/** 28 digits. @param at Unix ms */
export const newTransactionId = (at: number): string => datedNumber("42000", at);

/** 28 digits. @param at Unix ms */
export const newRefundId = (at: number): string => datedNumber("50000", at);

/** `wx` and 34 characters. @param at Unix ms */
export const newPrepayId = (at: number): string =>
  `wx${compactTime(at)}${randomUUID().replaceAll("-", "").slice(0, 20)}`;
