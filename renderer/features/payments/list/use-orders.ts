import { keepPreviousData, useQuery, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useRef } from "react";
import type { TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import { refetch } from "../../../ui/refetch.ts";
import { fetchSorted, type RowPage } from "../../../ui/table/live-list.ts";
import { useLiveList } from "../../../ui/table/use-live-list.ts";
import { useApi } from "../../../api/use-api.ts";
import type { Call } from "../../../api/http/call.ts";
import { loadMarks, mark } from "./load-marks.ts";
import { loadOrder, loadOrders, type ListedOrderFilter, type OrderRange, type OrderSort } from "./load-orders.ts";
import { useOrderChanges } from "./order-feed-context.ts";
import { fetchCurrent } from "./fetch-current.ts";
import type { OrderPage } from "./order-list.ts";
import type { ListedOrder } from "./order-row.ts";

const pageSize = 100;
/** The orders that have changed since those of a scope were fetched. Without a scope, any may have. */
interface Changes {
  readonly scope?: string;
  readonly numbers: Set<string>;
}
const unknown = (): Changes => ({ numbers: new Set() });

/** The matching orders: the newest, or the first by `sort`, at once and live, others on demand. */
export function useOrders(filter: ListedOrderFilter, sort: OrderSort) {
  const { call } = useApi();
  const queries = useQueryClient();
  const key = ["orders", "list", filter, sort];
  const scope = JSON.stringify([filter, sort]);
  const changes = useRef(unknown());
  const live = useLiveList<ListedOrder, OrderPage>({
    key,
    isSorted: sort !== undefined,
    load: (cursor, signal) => loadMarked(call, filter, { cursor, sort, limit: pageSize, signal }),
    async fetchCurrent(load, held) {
      if (sort !== undefined) return fetchSorted<ListedOrder, OrderPage>(load, held());
      const { scope: fetched, numbers } = changes.current;
      changes.current = { scope, numbers: new Set() };
      const source = {
        load,
        held,
        loadOne: async (number: string) => mark(await loadOrder(call, filter, number), await loadMarks(call, number)),
      };
      try {
        return await fetchCurrent(source, fetched === scope ? numbers : undefined);
      } catch (error) {
        changes.current = unknown();
        throw error;
      }
    },
  });
  useOrderChanges((numbers) => {
    if (numbers === undefined) changes.current = unknown();
    for (const number of numbers ?? []) changes.current.numbers.add(number);
    void refetch(queries, key);
  });
  return live;
}

/** The options of a query that is repeated whenever orders change. */
function useQueryOfOrders(key: QueryKey) {
  const queries = useQueryClient();
  useOrderChanges(() => void refetch(queries, key));
  return { queryKey: key, refetchOnMount: "always" as const };
}

/** How many orders a filter selects, and of how many. */
export function useOrderCount(filter: ListedOrderFilter, enabled: boolean) {
  const { call } = useApi();
  return useQuery({
    ...useQueryOfOrders(["orders", "count", filter]),
    enabled,
    queryFn: ({ signal }) => loadOrders(call, filter, { limit: 1, signal }),
  });
}

export interface BoardColumn {
  readonly state: TradeState;
  /** The newest. */
  readonly rows: readonly ListedOrder[];
  /** The number of orders; a minimum when it is not exact. */
  readonly count: number;
  readonly isExact: boolean;
  /** Their sum in fen, if known. */
  readonly amount: number | undefined;
}

/** In the order of the platform's description of the states. */
const columnOrder: readonly TradeState[] = [
  "NOTPAY",
  "USERPAYING",
  "SUCCESS",
  "REFUND",
  "CLOSED",
  "REVOKED",
  "PAYERROR",
];
const cardsOfColumn = 30;

/** A page of orders, with the marks of what has failed. */
async function loadMarked(call: Call, filter: ListedOrderFilter, range: OrderRange): Promise<OrderPage> {
  const [page, marks] = await Promise.all([loadOrders(call, filter, range), loadMarks(call, undefined, range.signal)]);
  return { ...page, rows: mark(page.rows, marks) };
}

/** The newest orders of each state. While there are few, one request has them all. */
async function loadBoard(call: Call, filter: ListedOrderFilter, signal: AbortSignal): Promise<BoardColumn[]> {
  const [newest, marks] = await Promise.all([
    loadOrders(call, { ...filter, state: undefined }, { limit: pageSize, signal }),
    loadMarks(call, undefined, signal),
  ]);
  const ofState = async (state: TradeState): Promise<BoardColumn> => {
    const totals = newest.totals?.[state];
    const held = newest.rows.filter((row) => row.state === state);
    const isEnough = newest.complete || held.length >= cardsOfColumn || held.length === totals?.count;
    const { rows, complete }: RowPage<ListedOrder> = isEnough
      ? { rows: held, complete: newest.complete }
      : await loadOrders(call, { ...filter, state }, { limit: cardsOfColumn, signal });
    const isExact = totals !== undefined || complete;
    return {
      state,
      rows: mark(rows.slice(0, cardsOfColumn), marks),
      count: totals?.count ?? rows.length,
      isExact,
      amount: totals?.amount ?? (isExact ? rows.reduce((sum, { amount }) => sum + amount, 0) : undefined),
    };
  };
  return Promise.all(columnOrder.map(ofState));
}

export function useBoard(filter: ListedOrderFilter) {
  const { call } = useApi();
  return useQuery({
    ...useQueryOfOrders(["orders", "board", filter]),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => loadBoard(call, filter, signal),
  });
}
