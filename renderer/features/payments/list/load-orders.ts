/** Fetches pages of orders of either side, for the lists. */
import { listStoredOrders } from "../../../../server/contract/console/stored-order-endpoints.ts";
import { tradeState, type TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import type { StoredOrderPage } from "../../../../server/contract/app/payments.ts";
import { getSimOrder, listSimOrders } from "../../../../server/contract/provider/sim-operations.ts";
import type { Call } from "../../../api/http/call.ts";
import { ConsoleError } from "../../../api/http/console-error.ts";
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

export interface OrderRange {
  readonly before?: number | undefined;
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
  const { before, limit, signal } = range;
  const page = await call(listStoredOrders, { query: { ...storedQuery(filter), before, limit }, signal });
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
  { before, limit, signal }: OrderRange,
): Promise<OrderPage> {
  const query = {
    trade_state: state,
    q,
    limit: String(limit),
    ...(!internal && { without_internal: "true" as const }),
    ...(before !== undefined && { before: String(before) }),
  };
  const page = await call(listSimOrders, { query, signal });
  return { rows: page.orders.map(simRow), complete: page.next_before === undefined };
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
