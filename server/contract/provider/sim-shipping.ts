/** The control routes for shipping information of mini-programs, with which a test acts as the platform and the buyer. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { outTradeNo } from "./payment-terms.ts";
import { simOfOrderQuery, simOrderQuery } from "./sim-orders.ts";

const control = { access: "control", tag: "mini-program", status: 200 } as const;

const tradeManagement = {
  managed: z.boolean().describe("Whether the platform freezes payments until the goods are shipped and received."),
  confirmed: z.boolean().describe("Whether the app has confirmed the settlement rules."),
};
export const simTradeManagementSchema = z.object({
  ...tradeManagement,
  jump_path: z.string().describe("Page that messages about shipping open. Empty: none."),
});

/** Returns whether the platform manages the shipping of the app's orders. */
export const getSimTradeManagement = endpoint({
  ...control,
  id: "getSimTradeManagement",
  method: "GET",
  path: "/sim/trade-management",
  data: simTradeManagementSchema,
});

/** Changes whether the platform manages the shipping of the app's orders. It applies to later payments. */
export const changeSimTradeManagement = endpoint({
  ...control,
  id: "changeSimTradeManagement",
  method: "PATCH",
  path: "/sim/trade-management",
  body: z.strictObject(tradeManagement).partial(),
  data: simTradeManagementSchema,
});

const time = z.iso.datetime().nullable();
export const simShipmentSchema = z.object({
  mch_id: z.string(),
  out_trade_no: outTradeNo,
  transaction_id: z.string(),
  openid: z.string().describe("Buyer. Empty: unknown."),
  total: z.int().describe("Amount of the order, in fen."),
  paid_at: z.iso.datetime(),
  order_state: z
    .int()
    .min(1)
    .max(5)
    .describe("Platform's number of the state: 1 to ship, 2 shipped, 3 received, 4 completed, 5 refunded."),
  frozen: z.boolean().describe("Whether the merchant cannot yet use the money."),
  packages: z.array(z.object({ tracking_no: z.string(), express_company: z.string(), item_desc: z.string() })),
  shipped_at: time,
  received_at: time,
  settled_at: time,
  reminded: z.boolean().describe("Whether the app has reminded the buyer to confirm the receipt."),
});
export type SimShipment = z.infer<typeof simShipmentSchema>;

/** Lists paid orders of the app with their shipping information, newest first, at most 100. A number selects one order. */
export const listSimShipments = endpoint({
  ...control,
  id: "listSimShipments",
  method: "GET",
  path: "/sim/shipments",
  query: simOfOrderQuery,
  data: z.array(simShipmentSchema),
});

/** Confirms as the buyer that the goods of an order have arrived. */
export const confirmSimReceipt = endpoint({
  ...control,
  id: "confirmSimReceipt",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/confirm-receipt",
  params: z.object({ out_trade_no: outTradeNo }),
  query: simOrderQuery,
  data: simShipmentSchema,
  errors: [404, 409],
});
