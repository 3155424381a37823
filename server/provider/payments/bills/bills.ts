/** A merchant's bill of one day, for both versions: CSV whose cells begin with a backtick, amounts in yuan. */
import type { Kysely } from "kysely";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import type { Booking, Ledger } from "../ledger/ledger.ts";
import { isFromOwnMoney } from "../ledger/refund-accounts.ts";
import { refusal } from "../ledger/refusals.ts";
import { isOfSub } from "../partner/sub-merchant.ts";
import { merchantNumbers, type NumberedTables } from "./merchant-numbers.ts";
import { shareColumns, shareRows, shareSummary, shareSummaryColumns, type SharedTables } from "./share-rows.ts";
import { flowColumns, flowRow, flowsOf, flowSummary, flowSummaryColumns } from "./flow-rows.ts";
import { billColumns, billRow, billSummaryColumns, summaryOf, type BillType } from "./bill-rows.ts";

/** As version 3 writes them. */
export const accountTypes = ["BASIC", "OPERATION", "FEES"] as const;
export type AccountType = (typeof accountTypes)[number];

interface Deps {
  readonly ledger: Pick<Ledger, "booked" | "moves">;
  readonly db: Kysely<NumberedTables & SharedTables>;
  readonly settings: () => Pick<SimPaymentSettings, "bills_at_once">;
  /** Unix time in ms. */
  readonly now: () => number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Three months (our choice of their length). */
const keptMs = 92 * dayMs;

interface Day {
  readonly mchId: string;
  /** yyyy-MM-dd, in the platform's time zone. */
  readonly day: string;
}

interface FlowBill extends Day {
  /** Only sub-merchants have `DEPOSIT`. */
  readonly account: AccountType | "DEPOSIT";
}

interface ShareBill extends Day {
  /** Only shares of this sub-merchant's money. */
  readonly subMchId?: string | undefined;
}

interface TradeBill extends Day {
  readonly type: BillType;
  /** Only payments and refunds of this sub-merchant. */
  readonly subMchId?: string | undefined;
}

export type Bills = ReturnType<typeof createBills>;

export function createBills({ ledger, db, settings, now }: Deps) {
  /** @throws PaymentRefusal */
  function checkAge(start: number, end: number): void {
    if (now() - start > keptMs) throw refusal("NO_STATEMENT_EXIST");
    if (settings().bills_at_once) return;
    if (now() < end + 9 * hourMs) throw refusal("STATEMENT_CREATING");
  }

  /** @returns Unix ms of the day's start @throws PaymentRefusal */
  function startOf(day: string): number {
    const start = Date.parse(`${day}T00:00:00+08:00`);
    checkAge(start, start + dayMs);
    return start;
  }

  return {
    /**
     * The lines of a bill from `start` until before `end` (Unix ms), for a form of its own.
     * @throws PaymentRefusal as `write`
     */
    async lines(mchId: string, start: number, end: number): Promise<readonly Booking[]> {
      checkAge(start, end);
      const booked = await ledger.booked(mchId, start, end);
      if (booked.length === 0) throw refusal("NO_STATEMENT_EXIST");
      return booked;
    },

    /**
     * @throws PaymentRefusal NO_STATEMENT_EXIST (no transactions, or too long ago), STATEMENT_CREATING (before 09:00 of
     *   the next day)
     */
    async write({ mchId, day, type, subMchId }: TradeBill): Promise<string> {
      const start = startOf(day);
      const all = await ledger.booked(mchId, start, start + dayMs);
      const booked = all.filter((booking) => belongsTo[type](booking) && isOf(booking, subMchId));
      if (booked.length === 0) throw refusal("NO_STATEMENT_EXIST");
      const rows = booked.map((booking) => billRow(booking, type));
      return csv(billColumns(type), rows, billSummaryColumns, summaryOf(booked));
    },

    /**
     * Movements in the merchant's account that day. Only the basic account is simulated.
     * @throws PaymentRefusal as `write`
     */
    async writeFlow({ mchId, day, account }: FlowBill): Promise<string> {
      const start = startOf(day);
      const moves = account === "BASIC" ? await ledger.moves(mchId, start + dayMs) : [];
      const numbers = await merchantNumbers(db, moves);
      const flows = flowsOf(moves);
      let balance = 0;
      const rows = flows.map((flow, at) => flowRow({ flow, mchId, balance: (balance += flow.fen), at, numbers }));
      const first = flows.findIndex(({ move }) => move.at >= start);
      if (first < 0) throw refusal("NO_STATEMENT_EXIST");
      return csv(flowColumns, rows.slice(first), flowSummaryColumns, flowSummary(flows.slice(first)));
    },

    /**
     * Shares and returns that succeeded that day.
     * @throws PaymentRefusal as `write`
     */
    async writeShares({ mchId, day, subMchId }: ShareBill): Promise<string> {
      const start = startOf(day);
      const rows = await shareRows(db, { mchId, subMchId, start, end: start + dayMs });
      if (rows.length === 0) throw refusal("NO_STATEMENT_EXIST");
      return csv(
        shareColumns,
        rows.map(({ cells }) => cells),
        shareSummaryColumns,
        shareSummary(rows),
      );
    },
  };
}

const isOf = ({ order }: Booking, subMchId: string | undefined): boolean =>
  subMchId === undefined || isOfSub(order, subMchId);

const csv = (columns: string[], rows: string[][], summaryColumns: string[], summary: string[]): string => {
  const lines = [columns, ...rows.map((row) => row.map(cell)), summaryColumns, summary.map(cell)];
  return `\uFEFF${lines.map((line) => `${line.join(",")}\r\n`).join("")}`;
};

const belongsTo: Record<BillType, (booking: Booking) => boolean> = {
  ALL: () => true,
  SUCCESS: ({ kind }) => kind === "payment",
  REFUND: ({ kind }) => kind !== "payment",
  RECHARGE_REFUND: ({ refund }) => refund !== undefined && isFromOwnMoney(refund),
};

/** Characters that would end the cell or the row are replaced by spaces. */
const cell = (text: string) => `\`${text.replace(/[`\r\n]+/g, " ")}`;
