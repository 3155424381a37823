/**
 * The simulator's control routes as the console's page calls them, by what its client needs of an operation. The routes
 * themselves read with the same schemas.
 */
import { z } from "zod";
import { receiverCheckInputSchema, receiverCheckSchema, receiverChecksSchema } from "./receiver-checks.ts";
import { simPaymentCodeInput, simPaymentCodeSchema } from "./sim-buyers.ts";
import { simFaultInputSchema } from "./sim-faults.ts";
import { simSendingResultSchema, simSendingSchema } from "./sim-notification-faults.ts";
import {
  simFailSchema,
  simFinishSchema,
  simNotifiedSchema,
  simOrderDetailsSchema,
  simOrderQuery,
  simOrderSchema,
  simOrdersQuery,
  simOrdersSchema,
  simPaySchema,
  simRefundSchema,
} from "./sim-orders.ts";

const order = { params: z.object({ out_trade_no: z.string() }), query: simOrderQuery } as const;

export const listSimOrders = {
  method: "GET",
  path: "/sim/orders",
  query: simOrdersQuery,
  data: simOrdersSchema,
} as const;

export const getSimOrder = {
  ...order,
  method: "GET",
  path: "/sim/orders/{out_trade_no}",
  data: simOrderDetailsSchema,
} as const;

export const paySimOrder = {
  ...order,
  method: "POST",
  path: "/sim/orders/{out_trade_no}/pay",
  body: simPaySchema,
  data: simOrderSchema,
} as const;

/** The buyer is at it: USERPAYING until the order is paid, or fails, or `password_seconds` are over. */
export const askPasswordOfSimOrder = {
  ...order,
  method: "POST",
  path: "/sim/orders/{out_trade_no}/ask-password",
  data: simOrderSchema,
} as const;

export const failSimOrder = {
  ...order,
  method: "POST",
  path: "/sim/orders/{out_trade_no}/fail",
  body: simFailSchema,
  data: simOrderSchema,
} as const;

export const expireSimOrder = {
  ...order,
  method: "POST",
  path: "/sim/orders/{out_trade_no}/expire",
  data: simOrderSchema,
} as const;

/** Tells of the order once more, as it was told last. */
export const notifyOfSimOrder = {
  ...order,
  method: "POST",
  path: "/sim/orders/{out_trade_no}/notify",
  data: simNotifiedSchema,
} as const;

/** Sends a notification of the order that is right, forged or broken, at once. */
export const sendAboutSimOrder = {
  ...order,
  method: "POST",
  path: "/sim/orders/{out_trade_no}/notifications",
  body: simSendingSchema,
  data: simSendingResultSchema,
} as const;

export const finishSimRefund = {
  method: "POST",
  path: "/sim/refunds/{refund_id}/finish",
  params: z.object({ refund_id: z.string() }),
  body: simFinishSchema,
  data: simRefundSchema,
} as const;

export const createSimPaymentCode = {
  method: "POST",
  path: "/sim/users/{name}/payment-codes",
  params: z.object({ name: z.string() }),
  body: simPaymentCodeInput,
  data: simPaymentCodeSchema,
} as const;

const checkParams = z.object({ id: z.int() });

/** Answers the check as it begins; it goes on by itself. */
export const createReceiverCheck = {
  method: "POST",
  path: "/sim/receiver-checks",
  body: receiverCheckInputSchema,
  data: receiverCheckSchema,
} as const;

export const listReceiverChecks = { method: "GET", path: "/sim/receiver-checks", data: receiverChecksSchema } as const;

export const getReceiverCheck = {
  method: "GET",
  path: "/sim/receiver-checks/{id}",
  params: checkParams,
  data: receiverCheckSchema,
} as const;

/** Ends a check that runs; its report stays. */
export const cancelReceiverCheck = {
  method: "DELETE",
  path: "/sim/receiver-checks/{id}",
  params: checkParams,
  data: receiverCheckSchema,
} as const;

const simFaultSchema = z.intersection(
  simFaultInputSchema,
  z.object({ id: z.int(), hits: z.int(), spent: z.boolean() }),
);

export const listSimFaults = {
  method: "GET",
  path: "/sim/faults",
  data: z.object({ faults: z.array(simFaultSchema) }),
} as const;

export const createSimFault = {
  method: "POST",
  path: "/sim/faults",
  body: simFaultInputSchema,
  data: simFaultSchema,
} as const;

export const deleteSimFaults = { method: "DELETE", path: "/sim/faults" } as const;

export const deleteSimFault = {
  method: "DELETE",
  path: "/sim/faults/{id}",
  params: z.object({ id: z.int() }),
} as const;
