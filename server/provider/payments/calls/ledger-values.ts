/** Finds the ledger's orders in the values of calls: a value is one, or has some as members or in lists. */
import type { Order } from "../ledger/ledger.ts";

const isOrder = (value: unknown): value is Order =>
  typeof value === "object" && value !== null && "outTradeNo" in value && "tradeState" in value;

/** The first order in a value. */
export function orderIn(value: unknown): Order | undefined {
  if (isOrder(value)) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const members: unknown[] = Object.values(value);
  return members.find(isOrder);
}

/** The same value with its orders replaced. */
export function withOrders<Value>(value: Value, change: (order: Order) => Order): Value {
  if (isOrder(value)) return change(value) as Value;
  if (typeof value !== "object" || value === null) return value;
  const changed = (member: unknown) => (isOrder(member) ? change(member) : member);
  if (Array.isArray(value)) return value.map(changed) as Value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changed(member)])) as Value;
}
