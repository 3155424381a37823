import { z } from "zod";
import { createOrder } from "../../contract/app/payment-endpoints.ts";
import { createToken } from "../../contract/console/console-endpoints.ts";
import { fen, buyerTradeType } from "../../contract/provider/payment-terms.ts";
import { listSimOrders } from "../../contract/provider/sim-operations.ts";
import { value, whole } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { ActionError } from "../action-error.ts";
import { orderResultSchema, printOrder, readOrder } from "./order-result.ts";

export const order = action({
  name: "order",
  group: "Payments",
  summary: "place an order at Hearth's own application server, as a simulated user",
  input: z.object({
    amount: whole(fen, "FEN", "amount in fen: 199 is ¥1.99"),
    user: value(z.string().min(1).default("test"), "USER", "simulated buyer; default: test"),
    description: value(z.string().min(1).max(127).default("Test order"), "TEXT", "description of the goods"),
    type: value(
      buyerTradeType.exclude(["MICROPAY"]).default("JSAPI"),
      buyerTradeType.exclude(["MICROPAY"]).options.join("|"),
      "payment method; default: JSAPI, in the mini-program",
    ),
  }),
  output: orderResultSchema,
  effect: "changes",
  async run(hearth, { amount, user, description, type }, signal) {
    const { access_token: token } = await hearth.call(createToken, { body: { user }, signal });
    const body = { amount, description, trade_type: type };
    const { out_trade_no } = await hearth.call(createOrder, { body, token, signal });
    const { orders } = await hearth.call(listSimOrders, { query: { q: out_trade_no }, signal });
    const [placed] = orders;
    if (placed === undefined)
      throw new ActionError(`Order ${out_trade_no} was not placed with this Hearth's simulator.`);
    return readOrder(hearth, placed);
  },
  print: printOrder,
});
