/** The products by which an order is placed, and the reply that each gives. */
import type { Order } from "../ledger/ledger.ts";

export const tradeTypes = { jsapi: "JSAPI", native: "NATIVE", app: "APP", h5: "MWEB" } as const;
export type OrderProduct = keyof typeof tradeTypes;
export const orderProducts = Object.keys(tradeTypes) as readonly OrderProduct[];

/** @param payPage returns the page where the buyer of an order for a mobile browser pays */
export function placedOrderV3(product: OrderProduct, order: Order, payPage: (order: Order) => string) {
  if (product === "native") return { code_url: order.codeUrl ?? "" };
  return product === "h5" ? { h5_url: payPage(order) } : { prepay_id: order.prepayId };
}
