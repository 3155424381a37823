/** The columns of a bill of profit sharing and their content. */
import type { Kysely } from "kysely";
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";
import type { LedgerTables, OrderRow } from "../ledger/ledger-tables.ts";
import { ownerOf } from "../partner/sub-merchant.ts";
import type { ShareTables } from "../profit-sharing/share-tables.ts";

export type SharedTables = ShareTables & LedgerTables;

export const shareColumns =
  "分账时间,分账发起方,分账方,微信订单号,微信分账/回退单号,分账明细单号,商户分账/回退单号,订单金额,分账接收方,金额,业务类型,处理状态,备注".split(
    ",",
  );
/** Our choice: no public source says what the platform writes below the lines. */
export const shareSummaryColumns = ["分账总笔数", "分账总金额", "回退总笔数", "回退总金额"];

interface SharedDay {
  readonly mchId: string;
  /** Only shares of this sub-merchant's money. */
  readonly subMchId: string | undefined;
  /** Unix ms; `end` is not included. */
  readonly start: number;
  readonly end: number;
}

interface ShareLine {
  readonly at: number;
  readonly type: "分账" | "分账回退";
  readonly fen: number;
  readonly cells: string[];
}

/** Shares with the order whose money they share. */
const sharesWithOrders = (db: Kysely<SharedTables>) =>
  db
    .selectFrom("pay_shares as share")
    .innerJoin("pay_orders as order", (join) =>
      join.onRef("order.transaction_id", "=", "share.transaction_id").onRef("order.mch_id", "=", "share.mch_id"),
    )
    .select(["order.mch_id", "order.transaction_id", "order.total", "order.extra"]);

/** The shares and returns that succeeded that day, in the order of time. */
export async function shareRows(
  db: Kysely<SharedTables>,
  { mchId, subMchId, start, end }: SharedDay,
): Promise<ShareLine[]> {
  const shares = await sharesWithOrders(db)
    .innerJoin("pay_share_details as part", "part.share_id", "share.id")
    .select(["share.order_id as number", "part.detail_id as detail", "share.out_order_no as own_number"])
    .select(["part.finished_at as at", "part.account", "part.amount", "part.description"])
    .where("share.mch_id", "=", mchId)
    .where("part.result", "=", "SUCCESS")
    .where("part.finished_at", ">=", start)
    .where("part.finished_at", "<", end)
    .execute();
  const returns = await sharesWithOrders(db)
    .innerJoin("pay_share_returns as part", "part.share_id", "share.id")
    .select(["part.return_id as number", "part.return_id as detail", "part.out_return_no as own_number"])
    .select(["part.created_at as at", "part.return_mchid as account", "part.amount", "part.description"])
    .where("share.mch_id", "=", mchId)
    .where("part.created_at", ">=", start)
    .where("part.created_at", "<", end)
    .execute();
  const isWanted = (row: FoundLine) => subMchId === undefined || ownerOf(row) === subMchId;
  return [
    ...shares.filter(isWanted).map((row) => toLine(row, "分账")),
    ...returns.filter(isWanted).map((row) => toLine(row, "分账回退")),
  ].toSorted((one, other) => one.at - other.at);
}

interface FoundLine extends Pick<OrderRow, "mch_id" | "transaction_id" | "total" | "extra"> {
  readonly number: string;
  readonly detail: string;
  readonly own_number: string;
  readonly at: number | null;
  readonly account: string;
  readonly amount: number;
  readonly description: string;
}

function toLine(found: FoundLine, type: ShareLine["type"]): ShareLine {
  const at = found.at ?? 0;
  const cells = [
    spacedTime(at),
    found.mch_id,
    ownerOf(found),
    found.transaction_id ?? "",
    found.number,
    found.detail,
    found.own_number,
    yuanText(found.total),
    found.account,
    yuanText(found.amount),
    type,
    "成功",
    found.description,
  ];
  return { at, type, fen: found.amount, cells };
}

/** The cells under `shareSummaryColumns`. */
export function shareSummary(lines: readonly ShareLine[]): string[] {
  return ["分账", "分账回退"].flatMap((wanted) => {
    const some = lines.filter(({ type }) => type === wanted);
    return [String(some.length), yuanText(some.reduce((sum, { fen }) => sum + fen, 0))];
  });
}
