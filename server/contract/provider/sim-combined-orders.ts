/** The fields by which the control routes show combined orders, in an order and in each of its parts. */
import { z } from "zod";
import { tradeState } from "./payment-terms.ts";

const part = z.object({
  mch_id: z.string(),
  sub_mch_id: z.string().optional(),
  out_trade_no: z.string(),
  description: z.string(),
  total: z.int(),
  trade_state: tradeState,
  transaction_id: z.string().optional(),
  refunded: z.int(),
});

export const simCombinedFields = {
  combine_mch_id: z.string().optional().describe("Merchant of the combined order that this order is a part of."),
  combine_out_trade_no: z.string().optional().describe("Number of the combined order, by which it is paid and closed."),
  sub_orders: z.array(part).optional().describe("Parts of a combined order."),
};
