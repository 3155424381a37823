/** The actions of Hearth's own server on its orders: refund and close. */
import { z } from "zod";
import { closeStoredOrder, refundStoredOrder } from "../../contract/console/stored-order-endpoints.ts";
import { fen } from "../../contract/provider/payment-terms.ts";
import { text, whole } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { ActionError } from "../action-error.ts";
import type { HearthApi } from "../hearth-api.ts";
import { orderArgument } from "./order-argument.ts";
import { findOrder, findOwn, orderResultSchema, printOrder, readOrder } from "./order-result.ts";

/** @throws ActionError for an order of another server */
async function findServerOrder(hearth: HearthApi, named: string) {
  const order = await findOrder(hearth, named);
  const own = await findOwn(hearth, order.out_trade_no);
  if (own) return { order, params: { id: own.id } };
  throw new ActionError(
    `Order ${order.out_trade_no} was not placed by Hearth's server: only the server of merchant ${order.mch_id} can change it.`,
  );
}

export const refund = action({
  name: "refund",
  group: "Payments",
  summary: "refund an order of Hearth's own server, in full or in part",
  input: z.object({
    order: orderArgument("refund"),
    amount: whole(fen.optional(), "FEN", "amount in fen; default: everything that is left"),
    reason: text("TEXT", "reason shown to the buyer"),
  }),
  output: orderResultSchema,
  effect: "changes",
  async run(hearth, { order: named, amount, reason }, signal) {
    const { order, params } = await findServerOrder(hearth, named);
    await hearth.call(refundStoredOrder, { params, body: { amount, reason }, signal });
    return readOrder(hearth, order);
  },
  print: printOrder,
});

export const close = action({
  name: "close",
  group: "Payments",
  summary: "close an unpaid order of Hearth's own server",
  input: z.object({ order: orderArgument("close") }),
  output: orderResultSchema,
  effect: "changes",
  async run(hearth, { order: named }, signal) {
    const { order, params } = await findServerOrder(hearth, named);
    await hearth.call(closeStoredOrder, { params, signal });
    return readOrder(hearth, order);
  },
  print: printOrder,
});
