/** The days and hours on which contracts allow announcements and deductions, all in the platform's time. */
import { dayStart, offsetTime } from "../../../payment-wire/provider-time.ts";
import type { PaymentRefusal } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { ContractRow, PlanRow } from "./contract-tables.ts";

/** The refusal of what needs a contract in force. */
export const notInForce = (): PaymentRefusal => refusal("INVALID_REQUEST", "签约协议未生效或已解约");

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long after its signing a contract allows deductions without an announcement. */
const freshMs = 12 * hourMs;
/** How long a plan's deductions are delayed. */
export const delayMs = dayMs;
/** The default number of days on which an announced deduction is allowed. */
export const announcedDays = 7;

/** The platform tells users nothing at night. */
const tellingHours = { from: 7 * hourMs, until: 22 * hourMs };
const schedulingHours = { from: 8 * hourMs, until: 19.5 * hourMs };

/** @param at Unix ms */
export const dayOf = (at: number): string => offsetTime(at).slice(0, 10);
/** Unix ms of the start of a day, `yyyy-MM-dd`. */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00+08:00`);

/** When a contract whose only deduction never came ends: at 8:00 on the next day. */
export const endOfSchedule = (day: string): number => startOf(day) + dayMs + schedulingHours.from;

const isWithin = (at: number, { from, until }: typeof tellingHours) => {
  const time = at - dayStart(at);
  return time >= from && time < until;
};

/** The days on which a deduction that is announced now is allowed: from the day after the next on. */
export function announcedWindow(at: number, days: number): { readonly from: number; readonly until: number } {
  const from = dayStart(at) + 2 * dayMs;
  return { from, until: from + days * dayMs };
}

export const isFresh = ({ signed_at }: ContractRow, at: number): boolean => at - (signed_at ?? 0) < freshMs;

/** @throws PaymentRefusal INVALID_REQUEST at night */
export function checkTelling(at: number): void {
  if (!isWithin(at, tellingHours)) throw refusal("INVALID_REQUEST", "请在北京时间7:00~22:00调用");
}

/** @throws PaymentRefusal INVALID_REQUEST on another day, at another hour, or for another amount */
export function checkScheduling(
  { deduct_day, deduct_fen, schedule_state }: ContractRow,
  fen: number,
  at: number,
): void {
  if (deduct_day === null) throw refusal("INVALID_REQUEST", "当前协议不是预约扣费类型");
  if (schedule_state !== "NO_SCHEDULED") throw refusal("INVALID_REQUEST", "该协议不能再次预约");
  if (dayOf(at + dayMs) !== deduct_day || !isWithin(at, schedulingHours))
    throw refusal("INVALID_REQUEST", "不在可预约时间段内");
  if (fen !== deduct_fen) throw refusal("INVALID_REQUEST", "预约金额与签约时的预计扣费金额不一致");
}

function checkScheduled({ deduct_day, scheduled_fen, schedule_state }: ContractRow, fen: number, at: number): void {
  if (schedule_state !== "SCHEDULED" || dayOf(at) !== deduct_day) throw refusal("INVALID_REQUEST", "不在可扣费期内");
  if (fen !== scheduled_fen) throw refusal("INVALID_REQUEST", "扣费金额与预约金额不一致");
}

function checkAnnounced(contract: ContractRow, fen: number, at: number): void {
  const { announced_from, announced_until, announced_fen } = contract;
  if (announced_from === null && isFresh(contract, at)) return;
  if (at < (announced_from ?? Infinity)) throw refusal("INVALID_REQUEST", "需要先下发扣费前通知才能扣费");
  if (at >= (announced_until ?? 0) || !isWithin(at, tellingHours)) throw refusal("INVALID_REQUEST", "不在可扣费期内");
  if (fen > (announced_fen ?? 0)) throw refusal("INVALID_REQUEST", "扣款金额不能高于预计扣费金额");
}

/** @throws PaymentRefusal INVALID_REQUEST where the contract or its plan does not allow a deduction now */
export function checkDeduction(contract: ContractRow, mode: PlanRow["mode"], fen: number, at: number): void {
  if (contract.deduct_day !== null) return checkScheduled(contract, fen, at);
  if (mode === "announced") checkAnnounced(contract, fen, at);
}
