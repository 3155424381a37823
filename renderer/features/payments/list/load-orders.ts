/** Fetches pages of orders of either side, for the lists. */
import { listStoredOrders } from "../../../../server/contract/console/stored-order-endpoints.ts";
import { tradeState, type TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import type { z } from "zod";
import type { StoredOrderPage, storedOrderQuery } from "../../../../server/contract/app/payments.ts";
import { getSimOrder, listSimOrders } from "../../../../server/contract/provider/sim-operations.ts";
import type { Call } from "../../../api/http/call.ts";
import { ConsoleError } from "../../../api/http/console-error.ts";
import { pageStart } from "../../../ui/table/live-list.ts";
import type { OrderPage, StateTotals } from "./order-list.ts";
import { simRow, storedRow, type ListedOrder } from "./order-row.ts";

export interface ListedOrderFilter {
  readonly side: "merchant" | "provider";
  readonly state: TradeState | undefined;
  readonly q: string | undefined;
  readonly held: boolean;
  /** Shows the orders of running receiver checks and of the console's own user, too. */
  readonly internal: boolean;
}

/** Sort columns of the table; `-` reverses the order. */
export type OrderSort = z.output<typeof storedOrderQuery>["sort"];

export interface OrderRange {
  /** The id before which the page ends; in a sorted list the number of rows before it. */
  readonly cursor?: number | undefined;
  readonly sort?: OrderSort;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

const storedQuery = ({ state, q, held, internal }: ListedOrderFilter) => ({
  trade_state: state,
  q,
  ...(held && { amount_mismatch: "true" as const }),
  ...(!internal && { without_internal: "true" as const }),
});

export async function loadOrders(call: Call, filter: ListedOrderFilter, range: OrderRange): Promise<OrderPage> {
  if (filter.side === "provider") return loadSimOrders(call, filter, range);
  const { cursor, sort, limit, signal } = range;
  const query = { ...storedQuery(filter), ...pageStart(sort, cursor), limit };
  const page = await call(listStoredOrders, { query, signal });
  return {
    rows: page.orders.map(storedRow),
    complete: page.orders.length < limit,
    total: page.total,
    stored: page.stored,
    totals: totalsOf(page),
  };
}

const totalsOf = ({ counts, amounts }: StoredOrderPage): StateTotals =>
  Object.fromEntries(
    tradeState.options.map((state) => [state, { count: counts[state], amount: amounts[state] }]),
  ) as StateTotals;

async function loadSimOrders(
  call: Call,
  { q, state, internal }: ListedOrderFilter,
  { cursor, sort, limit, signal }: OrderRange,
): Promise<OrderPage> {
  const query = {
    trade_state: state,
    q,
    limit: String(limit),
    ...(!internal && { without_internal: "true" as const }),
    ...simPageStart(sort, cursor),
  };
  const { orders, total, stored } = await call(listSimOrders, { query, signal });
  return { rows: orders.map(simRow), complete: orders.length < limit, total, stored };
}

/** The simulator has another name for the amount. */
function simPageStart(sort: OrderSort, cursor: number | undefined) {
  if (sort === undefined) return cursor === undefined ? {} : { before: String(cursor) };
  return { sort: sort === "amount" ? "total" : sort === "-amount" ? "-total" : sort, offset: cursor } as const;
}

/** Fetched by number, which the provider finds without a search. */
async function findSimOrder(call: Call, { q = "", state }: ListedOrderFilter, number: string): Promise<ListedOrder[]> {
  try {
    const { order } = await call(getSimOrder, { params: { out_trade_no: number } });
    const texts = [order.out_trade_no, order.transaction_id, order.description];
    const isFound = texts.some((text) => text?.toLowerCase().includes(q.toLowerCase()));
    return isFound && (state === undefined || order.trade_state === state) ? [simRow(order)] : [];
  } catch (error) {
    // 409: several merchants have it.
    if (error instanceof ConsoleError && [404, 409].includes(error.status)) return [];
    throw error;
  }
}

/** The order of that number, if it still matches the filter. */
export async function loadOrder(call: Call, filter: ListedOrderFilter, number: string): Promise<ListedOrder[]> {
  if (filter.side === "provider") return findSimOrder(call, filter, number);
  const query = { ...storedQuery(filter), out_trade_no: number, limit: 1 };
  return (await call(listStoredOrders, { query })).orders.map(storedRow);
}
