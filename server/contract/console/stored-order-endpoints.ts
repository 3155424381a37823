/** The operations of the console on all users' orders. */
import { endpoint } from "../endpoint.ts";
import {
  orderQueryRequestSchema,
  refundInputSchema,
  storedOrderDetailSchema,
  storedOrderPageSchema,
  storedOrderQuery,
} from "../app/payments.ts";
import { idParams } from "../app/resources.ts";

const forConsole = { tag: "orders", access: "console" } as const;
const stored = { ...forConsole, path: "/console/api/orders/{id}", params: idParams } as const;

/** Returns a page of all users' orders, newest first. To get the next page, pass a page's last id as `before`. */
export const listStoredOrders = endpoint({
  ...forConsole,
  id: "listStoredOrders",
  method: "GET",
  path: "/console/api/orders",
  status: 200,
  query: storedOrderQuery,
  data: storedOrderPageSchema,
});

/**
 * Returns an order with its refunds and its complete history. The history has calls, replies, notifications and
 * decisions, oldest first.
 */
export const getStoredOrder = endpoint({
  ...stored,
  id: "getStoredOrder",
  method: "GET",
  status: 200,
  data: storedOrderDetailSchema,
  errors: [404],
});

/**
 * Queries an order at once and returns the result. The reconcile job does the same on schedule. An order that is held
 * because of its amount continues only if the body allows it.
 */
export const queryStoredOrder = endpoint({
  ...stored,
  id: "queryStoredOrder",
  method: "POST",
  path: "/console/api/orders/{id}/queries",
  status: 200,
  body: orderQueryRequestSchema,
  data: storedOrderDetailSchema,
  errors: [404],
});

/** Closes an order and returns it. Its owner does the same with POST /api/orders/{id}/closures. */
export const closeStoredOrder = endpoint({
  ...stored,
  id: "closeStoredOrder",
  method: "POST",
  path: "/console/api/orders/{id}/closures",
  status: 200,
  data: storedOrderDetailSchema,
  errors: [403, 404],
});

/** Refunds an order and returns the refund. Its owner does the same with POST /api/orders/{id}/refunds. */
export const refundStoredOrder = endpoint({
  ...stored,
  id: "refundStoredOrder",
  method: "POST",
  path: "/console/api/orders/{id}/refunds",
  status: 201,
  body: refundInputSchema,
  data: storedOrderDetailSchema,
  errors: [403, 404],
});

/** Reverses a payment by code and returns the order. Its owner does the same with POST /api/orders/{id}/reversals. */
export const reverseStoredOrder = endpoint({
  ...stored,
  id: "reverseStoredOrder",
  method: "POST",
  path: "/console/api/orders/{id}/reversals",
  status: 200,
  data: storedOrderDetailSchema,
  errors: [403, 404],
});
