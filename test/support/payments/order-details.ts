/** What the simulator's control routes tell of an order, checked by their schema. */
import { expect } from "vitest";
import type { z } from "zod";
import { simOrderDetailsSchema, type simAttemptSchema } from "../../../server/contract/provider/sim-orders.ts";
import type { TestProvider } from "./test-provider.ts";

export type OrderDetails = z.output<typeof simOrderDetailsSchema>;
export type Attempt = z.output<typeof simAttemptSchema>;

export async function orderDetails(provider: TestProvider, outTradeNo: string): Promise<OrderDetails> {
  return simOrderDetailsSchema.parse(await provider.control("GET", `/orders/${outTradeNo}`));
}

/** The attempts of the order's latest notification, once there are so many and none is under way. */
export async function attemptsOf(provider: TestProvider, outTradeNo: string, count: number): Promise<Attempt[]> {
  const latest = async () => (await orderDetails(provider, outTradeNo)).notifications.at(-1);
  await expect.poll(async () => (await latest())?.attempts.length).toBe(count);
  await expect.poll(async () => isSettled(await latest())).toBe(true);
  return (await latest())?.attempts ?? [];
}

const isSettled = (one: OrderDetails["notifications"][number] | undefined) =>
  one !== undefined && (one.state !== "pending" || one.due_at !== undefined);
