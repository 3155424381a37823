/** The order of the list of orders: a file of its own, so that the console's address needs no other schema of orders. */
import { sortQuery } from "../sort.ts";

export const orderSortQuery = sortQuery([
  "trade_state",
  "out_trade_no",
  "description",
  "trade_type",
  "amount",
  "created_at",
]);
