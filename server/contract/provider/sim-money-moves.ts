/** The control route for the money moves of an order. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { platformOrderNo } from "./payment-terms.ts";
import { simOrderQuery } from "./sim-orders.ts";

export const simMoneyMoveSchema = z.object({
  at: z.iso.datetime(),
  kind: z.string().describe("Word for the operation, such as `payment` or `refund`."),
  number: z.string().describe("Platform's number of the operation."),
  lines: z
    .array(z.object({ account: z.string(), fen: z.int().describe("Positive: comes into the account.") }))
    .describe("Accounts whose money moved. The sum is zero."),
});
export type SimMoneyMove = z.infer<typeof simMoneyMoveSchema>;

/** Lists the money moves of an order, oldest first. */
export const listSimMoneyMoves = endpoint({
  access: "control",
  tag: "orders",
  status: 200,
  id: "listSimMoneyMoves",
  method: "GET",
  path: "/sim/orders/{out_trade_no}/money-moves",
  params: z.object({ out_trade_no: platformOrderNo }),
  query: simOrderQuery,
  data: z.array(simMoneyMoveSchema),
  errors: [404, 409],
});
