/** Finds orders of the ledger in what calls work on: such a value is one, or has some as members or in lists. */
import type { Order } from "../ledger/ledger.ts";

const isOrder = (value: object): value is Order => "outTradeNo" in value && "tradeState" in value;

/** The first order in a value. */
export function orderIn(value: unknown): Order | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isOrder(value)) return value;
  return Object.values(value).find(
    (member): member is Order => typeof member === "object" && member !== null && isOrder(member),
  );
}

/** The same value with its orders changed. */
export function withOrders<Value>(value: Value, change: (order: Order) => Order): Value {
  if (typeof value !== "object" || value === null) return value;
  if (isOrder(value)) return change(value) as Value;
  if (Array.isArray(value)) return value.map((one: unknown) => withOrders(one, change)) as Value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) =>
    typeof member === "object" && member !== null && isOrder(member) ? [name, change(member)] : [name, member],
  );
  return Object.fromEntries(members) as Value;
}
