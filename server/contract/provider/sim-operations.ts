/** The simulator's control routes for orders, refunds and notifications, and for checks of receivers. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { outTradeNo } from "./payment-terms.ts";
import { receiverCheckInputSchema, receiverCheckSchema, receiverChecksSchema } from "./receiver-checks.ts";
import { simSendingResultSchema, simSendingSchema } from "./sim-notification-faults.ts";
import {
  simFailQuery,
  simFailSchema,
  simFinishSchema,
  simNotificationsQuery,
  simNotificationsSchema,
  simUndeliveredSchema,
  simNotifiedSchema,
  simOrderDetailsSchema,
  simOrderQuery,
  simOrderSchema,
  simOrdersQuery,
  simOrdersSchema,
  simPaySchema,
  simRefundSchema,
} from "./sim-orders.ts";

const orders = { access: "control", tag: "orders", status: 200 } as const;
/** 409: several merchants have an order of that number, or its state forbids the change. */
const order = {
  ...orders,
  params: z.object({ out_trade_no: outTradeNo }),
  query: simOrderQuery,
  errors: [404, 409],
} as const;

/** Answers a page of the orders of all merchants, the newest first. */
export const listSimOrders = endpoint({
  ...orders,
  id: "listSimOrders",
  method: "GET",
  path: "/sim/orders",
  query: simOrdersQuery,
  data: simOrdersSchema,
});

/** Answers an order with its failed attempts, its refunds, the merchant's calls and the notifications that were sent. */
export const getSimOrder = endpoint({
  ...order,
  id: "getSimOrder",
  method: "GET",
  path: "/sim/orders/{out_trade_no}",
  data: simOrderDetailsSchema,
});

/** Pays an order as its buyer does. */
export const paySimOrder = endpoint({
  ...order,
  id: "paySimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/pay",
  body: simPaySchema,
  data: simOrderSchema,
});

/** Asks the buyer for the password: USERPAYING until the order is paid, or fails, or `password_seconds` are over. */
export const askPasswordOfSimOrder = endpoint({
  ...order,
  id: "askPasswordOfSimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/ask-password",
  data: simOrderSchema,
});

/** Makes the buyer's attempt to pay fail. The reason (`how`) may be in the query or in the body, which counts first. */
export const failSimOrder = endpoint({
  ...order,
  id: "failSimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/fail",
  query: simFailQuery,
  body: simFailSchema,
  data: simOrderSchema,
});

/** Ends the time in which an order can be paid. */
export const expireSimOrder = endpoint({
  ...order,
  id: "expireSimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/expire",
  data: simOrderSchema,
});

/** Sends the latest notification of an order again. If it waits for a retry, this counts as the retry. */
export const notifyOfSimOrder = endpoint({
  ...order,
  id: "notifyOfSimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/notify",
  data: simNotifiedSchema,
});

/** Sends a notification of an order at once: one that is right, forged or broken, once or several times. */
export const sendAboutSimOrder = endpoint({
  ...order,
  id: "sendAboutSimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/notifications",
  body: simSendingSchema,
  data: simSendingResultSchema,
});

/** Ends a refund that is PROCESSING. */
export const finishSimRefund = endpoint({
  ...orders,
  id: "finishSimRefund",
  method: "POST",
  path: "/sim/refunds/{refund_id}/finish",
  params: z.object({ refund_id: z.string() }),
  body: simFinishSchema,
  data: simRefundSchema,
  errors: [404, 409],
});

/** Answers a page of the notifications, the newest first. */
export const listSimNotifications = endpoint({
  ...orders,
  id: "listSimNotifications",
  method: "GET",
  path: "/sim/notifications",
  query: simNotificationsQuery,
  data: simNotificationsSchema,
});

/** Answers the newest orders that have a notification which its receiver has not accepted. */
export const listSimUndelivered = endpoint({
  ...orders,
  id: "listSimUndelivered",
  method: "GET",
  path: "/sim/undelivered-orders",
  data: simUndeliveredSchema,
});

/**
 * Streams the changes of orders and refunds as they happen: server-sent events `order`, `refund` and `reset`.
 * `notification` follows each delivery of a notification.
 */
export const streamSimOrderChanges = endpoint({
  ...orders,
  id: "streamSimOrderChanges",
  method: "GET",
  path: "/sim/order-changes",
  produces: ["text/event-stream"],
  errors: [503],
});

const checks = { access: "control", tag: "receiver-checks", status: 200 } as const;
const check = { ...checks, params: z.object({ id: z.coerce.string() }), errors: [404] } as const;

/**
 * Begins a check of a receiver of notifications, which goes on by itself; several may run at a time. 409 while there are
 * faults of your own.
 *
 * `Accept: application/x-ndjson` asks for its progress instead, a line for each step; whoever leaves then has cancelled it.
 */
export const createReceiverCheck = endpoint({
  ...checks,
  id: "createReceiverCheck",
  method: "POST",
  path: "/sim/receiver-checks",
  status: 201,
  body: receiverCheckInputSchema,
  data: receiverCheckSchema,
  replyHeaders: ["Location"],
  errors: [404, 409],
});

/** Answers the checks of this run, the newest first. */
export const listReceiverChecks = endpoint({
  ...checks,
  id: "listReceiverChecks",
  method: "GET",
  path: "/sim/receiver-checks",
  data: receiverChecksSchema,
});

/** Answers a check with the results that it has so far. */
export const getReceiverCheck = endpoint({
  ...check,
  id: "getReceiverCheck",
  method: "GET",
  path: "/sim/receiver-checks/{id}",
  data: receiverCheckSchema,
});

/** Ends a check, and answers once it has cleaned up; its report stays. */
export const cancelReceiverCheck = endpoint({
  ...check,
  id: "cancelReceiverCheck",
  method: "DELETE",
  path: "/sim/receiver-checks/{id}",
  data: receiverCheckSchema,
});
