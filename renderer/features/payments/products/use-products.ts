import { queryOptions, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRefetchOnActivity } from "../../../api/events/use-refetch-on-activity.ts";
import type { Call } from "../../../api/http/call.ts";
import { useApi } from "../../../api/use-api.ts";
import { refetch } from "../../../ui/refetch.ts";
import { useOrderChanges } from "../list/order-feed-context.ts";
import { productNames, type ProductName } from "./product-names.ts";
import { products } from "./products.ts";

export const productsKey = ["products"];
const everyMs = 500;
/** Neither a request nor an event announces what the simulator's clock changes. */
const pollMs = 2_000;

const entriesQuery = (call: Call, name: ProductName) =>
  queryOptions({
    queryKey: [...productsKey, name],
    refetchOnMount: "always",
    queryFn: ({ signal }) => products[name].load(call, {}, signal),
  });

/** The newest entries of a product, live. */
export function useEntries(name: ProductName) {
  const { call } = useApi();
  const { waits } = products[name];
  return useQuery({
    ...entriesQuery(call, name),
    refetchInterval: ({ state }) => state.data?.some((entry) => waits.includes(entry.state)) === true && pollMs,
  });
}

/** Products that were used since the simulator's last reset. Keeps the entries of all products current. */
export function useUsedProducts(): readonly ProductName[] {
  const { call } = useApi();
  const queries = useQueryClient();
  useOrderChanges(() => void refetch(queries, productsKey));
  useRefetchOnActivity(productsKey, everyMs);
  const lists = useQueries({ queries: productNames.map((name) => entriesQuery(call, name)) });
  return productNames.filter((_, at) => (lists[at]?.data?.length ?? 0) > 0);
}

export function useRefreshProducts() {
  const queries = useQueryClient();
  return () => refetch(queries, productsKey);
}
