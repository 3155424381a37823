/** The simulator's control routes for orders, refunds and notifications, and for checks of receivers. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { outTradeNo } from "./payment-terms.ts";
import { receiverCheckInputSchema, receiverCheckSchema, receiverChecksSchema } from "./checks/receiver-checks.ts";
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

/** Returns a page of all merchants' orders, newest first. */
export const listSimOrders = endpoint({
  ...orders,
  id: "listSimOrders",
  method: "GET",
  path: "/sim/orders",
  query: simOrdersQuery,
  data: simOrdersSchema,
});

/** Returns an order with its failed attempts, refunds, the merchant's calls and the sent notifications. */
export const getSimOrder = endpoint({
  ...order,
  id: "getSimOrder",
  method: "GET",
  path: "/sim/orders/{out_trade_no}",
  data: simOrderDetailsSchema,
});

/** Pays an order as its buyer. */
export const paySimOrder = endpoint({
  ...order,
  id: "paySimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/pay",
  body: simPaySchema,
  data: simOrderSchema,
});

/**
 * Asks the buyer for the password. The state is USERPAYING until the order is paid, fails, or `password_seconds` have
 * passed.
 */
export const askPasswordOfSimOrder = endpoint({
  ...order,
  id: "askPasswordOfSimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/ask-password",
  data: simOrderSchema,
});

/** Makes the buyer's payment fail. The reason (`how`) may be in the query or in the body; the body takes precedence. */
export const failSimOrder = endpoint({
  ...order,
  id: "failSimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/fail",
  query: simFailQuery,
  body: simFailSchema,
  data: simOrderSchema,
});

/** Expires an order at once. */
export const expireSimOrder = endpoint({
  ...order,
  id: "expireSimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/expire",
  data: simOrderSchema,
});

/** Sends the latest notification of an order again. If the notification waits for a retry, this is the retry. */
export const notifyOfSimOrder = endpoint({
  ...order,
  id: "notifyOfSimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/notify",
  data: simNotifiedSchema,
});

/** Sends a notification of an order at once. It may be correct, forged or broken, and be sent once or several times. */
export const sendAboutSimOrder = endpoint({
  ...order,
  id: "sendAboutSimOrder",
  method: "POST",
  path: "/sim/orders/{out_trade_no}/notifications",
  body: simSendingSchema,
  data: simSendingResultSchema,
});

/** Finishes a refund that is PROCESSING. */
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

/** Returns a page of the notifications, newest first. */
export const listSimNotifications = endpoint({
  ...orders,
  id: "listSimNotifications",
  method: "GET",
  path: "/sim/notifications",
  query: simNotificationsQuery,
  data: simNotificationsSchema,
});

/** Lists the newest orders with a notification that the receiver has not accepted. */
export const listSimUndelivered = endpoint({
  ...orders,
  id: "listSimUndelivered",
  method: "GET",
  path: "/sim/undelivered-orders",
  data: simUndeliveredSchema,
});

/**
 * Streams the changes of orders and refunds. The server-sent events are `order`, `refund` and `reset`, and
 * `notification` after each delivery of a notification.
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
 * Starts a check of a notification receiver. The check runs automatically, and several can run at a time. While
 * your own faults are armed, the answer is 409.
 *
 * With `Accept: application/x-ndjson`, the answer streams one line per step. Closing the connection cancels the check.
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

/** Lists the checks of this run, newest first. */
export const listReceiverChecks = endpoint({
  ...checks,
  id: "listReceiverChecks",
  method: "GET",
  path: "/sim/receiver-checks",
  data: receiverChecksSchema,
});

/** Returns a check with its results so far. */
export const getReceiverCheck = endpoint({
  ...check,
  id: "getReceiverCheck",
  method: "GET",
  path: "/sim/receiver-checks/{id}",
  data: receiverCheckSchema,
});

/** Cancels a check. The answer comes when the check has cleaned up. Its report stays. */
export const cancelReceiverCheck = endpoint({
  ...check,
  id: "cancelReceiverCheck",
  method: "DELETE",
  path: "/sim/receiver-checks/{id}",
  data: receiverCheckSchema,
});
