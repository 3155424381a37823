import { z } from "zod";
import { tradeState } from "../../contract/provider/payment-terms.ts";
import { listSimOrders } from "../../contract/provider/sim-operations.ts";
import { simOrderSchema } from "../../contract/provider/sim-orders.ts";
import { text, value, whole } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { alignColumns, clockTime, yuan } from "../text-columns.ts";
import { orderArgument } from "./order-argument.ts";
import { findOrder, orderResultSchema, printOrder, readOrder } from "./order-result.ts";

const listedOrder = simOrderSchema.pick({
  id: true,
  out_trade_no: true,
  mch_id: true,
  trade_state: true,
  trade_type: true,
  total: true,
  refunded: true,
  description: true,
  created_at: true,
});

export const ordersList = action({
  name: "orders list",
  group: "Payments",
  summary: "list the orders at the simulated platform, newest first",
  input: z.object({
    state: value(tradeState.optional(), "STATE", `only orders in this state: ${tradeState.options.join(", ")}`),
    find: text("TEXT", "only orders with this text in a number or the description"),
    limit: whole(z.int().min(1).max(500).default(20), "N", "at most this many; default: 20"),
  }),
  output: z.array(listedOrder),
  effect: "reads",
  async run(hearth, { state, find, limit }, signal) {
    const query = { trade_state: state, q: find, limit: String(limit) };
    const { orders } = await hearth.call(listSimOrders, { query, signal });
    return orders;
  },
  print: (orders) =>
    orders.length === 0
      ? "No orders. Place one with `hearth order --amount 199`."
      : alignColumns(
          orders.map(({ out_trade_no, trade_state, total, created_at, description }) => [
            out_trade_no,
            trade_state,
            yuan(total),
            clockTime(created_at),
            description,
          ]),
        ),
});

export const ordersShow = action({
  name: "orders show",
  group: "Payments",
  summary: "show an order: its states, failed attempts and refunds",
  input: z.object({ order: orderArgument("show") }),
  output: orderResultSchema,
  effect: "reads",
  run: async (hearth, { order }) => readOrder(hearth, await findOrder(hearth, order)),
  print: printOrder,
});
