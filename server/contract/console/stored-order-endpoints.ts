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

/** Answers a page of all users' orders, the newest first; `before` with the last id of a page asks for the next one. */
export const listStoredOrders = endpoint({
  ...forConsole,
  id: "listStoredOrders",
  method: "GET",
  path: "/console/api/orders",
  status: 200,
  query: storedOrderQuery,
  data: storedOrderPageSchema,
});

/** Answers an order with its refunds and its whole history: calls, replies, notifications and decisions, the oldest first. */
export const getStoredOrder = endpoint({
  ...stored,
  id: "getStoredOrder",
  method: "GET",
  status: 200,
  data: storedOrderDetailSchema,
  errors: [404],
});

/**
 * Queries an order at once, as the reconcile job does on schedule, and answers the result. An order that is held
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

/** Closes an order, as its owner does by POST /api/orders/{id}/closures, and answers the result. */
export const closeStoredOrder = endpoint({
  ...stored,
  id: "closeStoredOrder",
  method: "POST",
  path: "/console/api/orders/{id}/closures",
  status: 200,
  data: storedOrderDetailSchema,
  errors: [403, 404],
});

/** Refunds an order, as its owner does by POST /api/orders/{id}/refunds, and answers the refund. */
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

/** Reverses a payment by code, as its owner does by POST /api/orders/{id}/reversals, and answers the result. */
export const reverseStoredOrder = endpoint({
  ...stored,
  id: "reverseStoredOrder",
  method: "POST",
  path: "/console/api/orders/{id}/reversals",
  status: 200,
  data: storedOrderDetailSchema,
  errors: [403, 404],
});
