import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { paymentFailure } from "../../contract/provider/payment-terms.ts";
import { failSimOrder, paySimOrder } from "../../contract/provider/sim-operations.ts";
import { value } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import type { HearthApi } from "../hearth-api.ts";
import { orderArgument } from "./order-argument.ts";
import { findOrder, atPlatform, orderResultSchema, printOrder, readOrder, type OrderResult } from "./order-result.ts";

const pollMs = 50;
const polls = 40;

/** The order once Hearth's own server has seen its state, or after 2 s, for example when a fault holds the notification. */
async function readWhenSeen(hearth: HearthApi, named: OrderResult, signal: AbortSignal): Promise<OrderResult> {
  let order = named;
  for (let poll = 0; poll < polls && order.server && order.server.trade_state !== order.trade_state; poll++) {
    await delay(pollMs, undefined, { signal });
    order = await readOrder(hearth, order);
  }
  return order;
}

export const pay = action({
  name: "pay",
  group: "Payments",
  summary: "pay an order as its buyer, or let the payment fail",
  input: z.object({
    order: orderArgument("pay"),
    fail: value(paymentFailure.optional(), paymentFailure.options.join("|"), "let the payment fail for this reason"),
  }),
  output: orderResultSchema,
  effect: "changes",
  async run(hearth, { order: text, fail }, signal) {
    const named = await findOrder(hearth, text);
    if (fail === undefined) await hearth.call(paySimOrder, { ...atPlatform(named), body: {}, signal });
    else await hearth.call(failSimOrder, { ...atPlatform(named), body: { how: fail }, signal });
    return readWhenSeen(hearth, await readOrder(hearth, named), signal);
  },
  print: printOrder,
});
