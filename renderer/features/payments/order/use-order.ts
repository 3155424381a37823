import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { getStoredOrder, listStoredOrders } from "../../../../server/contract/console/stored-order-endpoints.ts";
import { outTradeNo } from "../../../../server/contract/provider/payment-terms.ts";
import type { StoredOrderDetail } from "../../../../server/contract/app/payments.ts";
import { getSimOrder } from "../../../../server/contract/provider/sim-operations.ts";
import type { simOrderDetailsSchema } from "../../../../server/contract/provider/sim-orders.ts";
import { useApi } from "../../../api/use-api.ts";
import type { Call } from "../../../api/call.ts";
import { ConsoleError } from "../../../api/console-error.ts";
import { useOrderChanges } from "../list/order-feed-context.ts";

export type SimOrderDetail = z.output<typeof simOrderDetailsSchema>;

/** Which order, for the calls about it. */
export interface OrderName {
  readonly number: string;
  readonly mchId: string | undefined;
}

/** While a notification waits for its next time, a refund for its end, or a buyer types, nothing else tells that it has come. */
const pollMs = 1_500;

const orderKey = ({ number, mchId = "" }: OrderName) => ["order", number, mchId] as const;

async function findStored(call: Call, number: string, signal: AbortSignal): Promise<StoredOrderDetail | null> {
  if (!outTradeNo.safeParse(number).success) return null;
  const [found] = (await call(listStoredOrders, { query: { out_trade_no: number, limit: 1 }, signal })).orders;
  return found ? call(getStoredOrder, { params: { id: found.id }, signal }) : null;
}

async function findSim(call: Call, { number, mchId }: OrderName, signal: AbortSignal): Promise<SimOrderDetail | null> {
  try {
    return await call(getSimOrder, { params: { out_trade_no: number }, query: { mch_id: mchId }, signal });
  } catch (error) {
    if (error instanceof ConsoleError && (error.status === 404 || error.status === 400)) return null;
    throw error;
  }
}

const isWaiting = ({ order, notifications, refunds }: SimOrderDetail) =>
  order.trade_state === "USERPAYING" ||
  notifications.some(({ state }) => state === "pending") ||
  refunds.some(({ status }) => status === "PROCESSING");

/** Both halves of an order: what the merchant has and what the provider has. Null: that side does not know it. */
export function useOrder(name: OrderName) {
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
  const refetch = () => queries.invalidateQueries({ queryKey: key });
  useOrderChanges((changed) => {
    if (changed === undefined || changed.has(name.number)) void refetch();
  });
  // Not all that a person does to an order is an event, and one at the provider may come before the merchant has stored it.
  const refresh = () => Promise.all([refetch(), queries.invalidateQueries({ queryKey: ["orders"] })]);
  return { merchant, provider, refresh };
}
