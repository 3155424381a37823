/** Numbers that the platform gives out, in the forms of the real ones. */
import { randomInt, randomUUID } from "node:crypto";
import { compactTime } from "../../../payment-wire/provider-time.ts";

/** Two random numbers of five and ten digits around the day: unique without asking the database for the last one. */
const datedNumber = (prefix: string, at: number) => `${prefix}${digits(5)}${compactTime(at).slice(0, 8)}${digits(10)}`;

const digits = (length: number) => String(randomInt(10 ** length)).padStart(length, "0");

/** 28 digits. @param at Unix ms */
export const newTransactionId = (at: number): string => datedNumber("42000", at);

/** 28 digits. @param at Unix ms */
export const newRefundId = (at: number): string => datedNumber("50000", at);

/** `wx` and 34 characters. @param at Unix ms */
export const newPrepayId = (at: number): string =>
  `wx${compactTime(at)}${randomUUID().replaceAll("-", "").slice(0, 20)}`;
