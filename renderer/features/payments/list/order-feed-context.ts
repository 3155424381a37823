import { createContext, useContext, useEffect, useEffectEvent, useMemo } from "react";
import { useApi } from "../../../api/use-api.ts";
import { providerPath } from "../../../api/http/call.ts";
import { createOrderFeed, type ChangedOrders, type OrderFeed } from "./order-feed.ts";

export const OrderFeedContext = createContext<OrderFeed | undefined>(undefined);

const everyMs = 400;

/** The page's own feed, active while the page is open. */
export function useNewOrderFeed(): OrderFeed {
  const { live, openStream } = useApi();
  const feed = useMemo(
    () => createOrderFeed({ live, openChanges: () => openStream(`${providerPath}/sim/order-changes`), everyMs }),
    [live, openStream],
  );
  useEffect(() => feed.start(), [feed]);
  return feed;
}

/** Calls `listen` with the changed orders. */
export function useOrderChanges(listen: (changed: ChangedOrders) => void): void {
  const feed = useContext(OrderFeedContext);
  const onChange = useEffectEvent(listen);
  useEffect(() => feed?.subscribe((changed) => onChange(changed)), [feed]);
}
