/** Numbers that the platform issues, in the formats of the real ones. */
import { randomInt, randomUUID } from "node:crypto";
import { compactTime } from "../../../payment-wire/provider-time.ts";

const dayMs = 24 * 3_600_000;
const utcPlus8Ms = 8 * 3_600_000;
const counts = 10 ** 10;

/** Starts anywhere: unique within a run, and rarely equal to another run's at the same time. */
let count = randomInt(counts);

/**
 * Five digits of the time of day, the day, and ten digits of a counter. Unique without reading the last number from the
 * database, and adjacent in its indexes.
 */
function datedNumber(prefix: string, at: number): string {
  const time = Math.floor((((at + utcPlus8Ms) % dayMs) / dayMs) * 100_000);
  count = (count + 1) % counts;
  return `${prefix}${digits(time, 5)}${compactTime(at).slice(0, 8)}${digits(count, 10)}`;
}

const digits = (value: number, length: number) => String(value).padStart(length, "0");

/** 28 digits. @param at Unix ms */
export const newTransactionId = (at: number): string => datedNumber("42000", at);

/** 28 digits that begin with the day: the number of a trade of Alipay. @param at Unix ms */
export const newTradeNo = (at: number): string => {
  const number = datedNumber("22001", at);
  return `${number.slice(10, 18)}${number.slice(0, 10)}${number.slice(18)}`;
};

/** 28 digits. @param at Unix ms */
export const newRefundId = (at: number): string => datedNumber("50000", at);

/** `wx` and 34 characters. @param at Unix ms */
export const newPrepayId = (at: number): string =>
  `wx${compactTime(at)}${randomUUID().replaceAll("-", "").slice(0, 20)}`;

/** The end of the content of Alipay's QR codes, 24 characters. */
export const newAlipayCode = (): string => `bax${randomUUID().replaceAll("-", "").slice(0, 21)}`;

/** 28 digits: of a share, its details and its returns. @param at Unix ms */
export const newShareId = (at: number): string => datedNumber("30000", at);

/** 40 digits. @param at Unix ms */
export const newTransferId = (at: number): string => datedNumber("13300000711009999", at);

/** 28 digits. @param at Unix ms */
export const newContractId = (at: number): string => datedNumber("20150", at);
