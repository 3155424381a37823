import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { getStoredOrder, listStoredOrders } from "../../../../server/contract/console/stored-order-endpoints.ts";
import { outTradeNo } from "../../../../server/contract/provider/payment-terms.ts";
import type { StoredOrderDetail } from "../../../../server/contract/app/payments.ts";
import { getSimOrder } from "../../../../server/contract/provider/sim-operations.ts";
import type { simOrderDetailsSchema } from "../../../../server/contract/provider/sim-orders.ts";
import { refetch } from "../../../ui/refetch.ts";
import { useApi } from "../../../api/use-api.ts";
import type { Call } from "../../../api/http/call.ts";
import { ConsoleError } from "../../../api/http/console-error.ts";
import { useOrderChanges } from "../list/order-feed-context.ts";

export type SimOrderDetail = z.output<typeof simOrderDetailsSchema>;

/** Identifies the order in calls. */
export interface OrderIdentity {
  readonly number: string;
  readonly mchId: string | undefined;
}

/** Polled while a notification, a refund or a buyer's password is pending, because no event reports these. */
const pollMs = 1_500;

const orderKey = ({ number, mchId = "" }: OrderIdentity) => ["order", number, mchId] as const;

async function findStored(call: Call, number: string, signal: AbortSignal): Promise<StoredOrderDetail | null> {
  if (!outTradeNo.safeParse(number).success) return null;
  const [found] = (await call(listStoredOrders, { query: { out_trade_no: number, limit: 1 }, signal })).orders;
  return found ? call(getStoredOrder, { params: { id: found.id }, signal }) : null;
}

async function findSim(
  call: Call,
  { number, mchId }: OrderIdentity,
  signal: AbortSignal,
): Promise<SimOrderDetail | null> {
  try {
    return await call(getSimOrder, { params: { out_trade_no: number }, query: { mch_id: mchId }, signal });
  } catch (error) {
    if (error instanceof ConsoleError && (error.status === 404 || error.status === 400)) return null;
    throw error;
  }
}

const isWaiting = ({ order, notifications, refunds }: SimOrderDetail) =>
  order.trade_state === "USERPAYING" ||
  (order.paid_at !== undefined && order.notify_url !== undefined && notifications.length === 0) ||
  notifications.some(({ state }) => state === "pending") ||
  refunds.some(({ status }) => status === "PROCESSING");

/** Both halves of an order: the merchant's and the provider's. Null: that side does not have it. */
export function useOrder(name: OrderIdentity) {
  const { call } = useApi();
  const queries = useQueryClient();
  const key = orderKey(name);
  const merchant = useQuery({
    queryKey: [...key, "merchant"],
    refetchOnMount: "always",
    queryFn: ({ signal }) => findStored(call, name.number, signal),
  });
  const provider = useQuery({
    queryKey: [...key, "provider"],
    refetchOnMount: "always",
    queryFn: ({ signal }) => findSim(call, name, signal),
    refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? pollMs : false),
  });
  useOrderChanges((changed) => {
    if (changed === undefined || changed.has(name.number)) void refetch(queries, key);
  });
  // Not every action on an order is an event, and the provider's may come before the merchant has stored it.
  const refresh = () => Promise.all([refetch(queries, key), refetch(queries, ["orders"])]);
  return { merchant, provider, refresh };
}
