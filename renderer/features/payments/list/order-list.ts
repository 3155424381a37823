/** A list of orders, the newest first, that grows at both ends. */
import type { TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import type { RowPage } from "../../../ui/table/live-list.ts";
import type { ListedOrder } from "./order-row.ts";

/** By state: the number of orders and their sum in fen. */
export type StateTotals = Readonly<Record<TradeState, { readonly count: number; readonly amount: number }>>;

export interface OrderPage extends RowPage<ListedOrder> {
  /** The number of all matching orders. */
  readonly total: number;
  /** Likewise, whatever the filter. */
  readonly stored: number;
  /** Only of Hearth's own orders. */
  readonly totals?: StateTotals;
}

/**
 * Puts the newest page in front of the held orders. If they do not overlap, orders in between are missing, and the page
 * replaces the list. `again`: the current versions of changed orders outside of the page; those missing in it are
 * removed. Without it, any may have changed, and the page replaces the list, too.
 */
export function withNewest(
  held: OrderPage | undefined,
  page: OrderPage,
  again?: { asked: ReadonlySet<string>; found: readonly ListedOrder[] },
): OrderPage {
  const rows = held ? withoutNewObjects(page.rows, held.rows) : page.rows;
  const last = page.rows.at(-1);
  if (!held || !again || page.complete || !last || !held.rows.some(({ id }) => id >= last.id)) return { ...page, rows };
  const found = new Map(again.found.map((row) => [row.id, row]));
  const older = held.rows
    .filter(({ id, outTradeNo }) => id < last.id && (!again.asked.has(outTradeNo) || found.has(id)))
    .map((row) => found.get(row.id) ?? row);
  return { ...page, rows: [...rows, ...older], complete: held.complete };
}

/** Keeps the objects of unchanged rows, so that they are not rendered again. Both lists are the newest first. */
function withoutNewObjects(rows: readonly ListedOrder[], held: readonly ListedOrder[]): readonly ListedOrder[] {
  const oldest = rows.at(-1)?.id ?? Infinity;
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of held) {
    if (row.id < oldest) break;
    if (isSame(byId.get(row.id), row)) byId.set(row.id, row);
  }
  return [...byId.values()];
}

const isSame = (one: ListedOrder | undefined, other: ListedOrder): boolean =>
  one !== undefined && (Object.keys(one) as (keyof ListedOrder)[]).every((key) => one[key] === other[key]);

/** The changed orders that are held outside of the newest page, and must be fetched one by one. */
export function changedBeyond(held: OrderPage | undefined, page: OrderPage, changed: ReadonlySet<string>): string[] {
  const last = page.rows.at(-1)?.id ?? Infinity;
  const rows = held?.rows ?? [];
  return rows.filter(({ id, outTradeNo }) => id < last && changed.has(outTradeNo)).map((row) => row.outTradeNo);
}
