/**
 * Wire formats of the simulator's control routes for orders, refunds, notifications and merchants (/sim). Money is fen.
 */
import { z } from "zod";
import { traceIds } from "../trace-ids.ts";
import { list } from "../bounded-lists.ts";
import { queryFlag } from "../query-flag.ts";
import { sortQuery } from "../sort.ts";
import { notificationVerdict, trustedResultCode } from "./notification-verdicts.ts";
import {
  notificationSubject,
  outRefundNo,
  platformOrderNo,
  payCall,
  paymentFailure,
  payWire,
  refundStatus,
  signType,
  tradeState,
  tradeType,
} from "./payment-terms.ts";
import { simCombinedFields } from "./sim-combined-orders.ts";
import { simPlatformKeysSchema } from "./provider-keys.ts";

const time = z.iso.datetime();
const mchId = z.string().regex(/^\d{8,32}$/, "8 to 32 digits");
const whole = z
  .string()
  .regex(/^\d{1,15}$/, "a whole number")
  .transform(Number);
const limit = whole.pipe(z.number().min(1).max(500)).default(50);
const before = whole.optional().describe("Only entries with a smaller id. For the next page, pass `next_before`.");

/** GET /sim/orders. */
export const simOrdersQuery = z.strictObject({
  mch_id: mchId.optional(),
  trade_state: tradeState.optional(),
  q: z
    .string()
    .max(100)
    .optional()
    .describe("Text in the merchant's number, the platform's number or the description."),
  without_internal: queryFlag
    .default(false)
    .describe("Excludes the orders of running receiver checks and of the console's own user.")
    .meta({ type: "boolean" }),
  limit,
  before,
  ...sortQuery(["trade_state", "out_trade_no", "description", "trade_type", "total", "created_at"]),
});

export type SimOrderSort = z.output<typeof simOrdersQuery>["sort"];

/** The merchant, when several have an order of the same number. */
export const simOrderQuery = z.strictObject({ mch_id: mchId.optional() });

/** Only what belongs to one order. */
export const simOfOrderQuery = z.strictObject({ mch_id: mchId.optional(), out_trade_no: platformOrderNo.optional() });
export type SimOfOrder = z.output<typeof simOfOrderQuery>;

export const simOrderSchema = z.object({
  id: z.int(),
  mch_id: z.string(),
  sub_mch_id: z.string().optional().describe("Sub-merchant for which the service provider mch_id placed the order."),
  ...simCombinedFields,
  app_id: z.string(),
  out_trade_no: z.string(),
  trade_type: tradeType,
  version: payWire.describe("API of the order and of its notifications."),
  sign_type: signType,
  description: z.string(),
  total: z.int(),
  currency: z.string(),
  trade_state: tradeState,
  created_at: time,
  expires_at: time.describe("When the order can no longer be paid."),
  notify_url: z.string().optional(),
  openid: z.string().optional(),
  attach: z.string().optional(),
  prepay_id: z.string().optional(),
  code_url: z.string().optional(),
  pay_page: z.string().optional().describe("Address of the payment page of a NATIVE or MWEB order."),
  transaction_id: z.string().optional(),
  paid_at: time.optional(),
  ended_at: time.optional(),
  bank_type: z.string().optional(),
  payer: z.string().optional(),
  coupon_fee: z.int(),
  refunded: z.int(),
  sandbox: z.boolean(),
});
export type SimOrder = z.infer<typeof simOrderSchema>;

export const simOrdersSchema = z.object({
  orders: z.array(simOrderSchema).describe("Newest first unless sorted."),
  total: z.int().describe("Number on all pages."),
  stored: z.int().describe("Number of all orders, without a filter other than `without_internal`."),
  next_before: z.int().optional().describe("`before` of the next page. Absent on the last page and in a sorted list."),
});

export const simRefundSchema = z.object({
  refund_id: z.string(),
  out_refund_no: outRefundNo,
  out_trade_no: platformOrderNo,
  total: z.int(),
  refund: z.int(),
  currency: z.string(),
  status: refundStatus,
  version: payWire,
  created_at: time,
  finished_at: time.optional(),
  reason: z.string().optional(),
  notify_url: z.string().optional(),
  account: z.string().optional(),
});

/**
 * Data of the events `order`, `refund` and `notification` of GET /sim/order-changes, a stream of server-sent events. The event `reset`
 * means that all orders may have changed.
 */
export const simOrderChangeSchema = z.object({
  from: z
    .union([tradeState, refundStatus])
    .optional()
    .describe("Previous state. Absent for new orders and refunds, and for notifications."),
  order: simOrderSchema,
  refund: simRefundSchema.optional().describe("Refund of a `refund` event."),
});

const simFaultRef = z.object({ id: z.int(), kind: z.string() });

/** A call of the merchant about an order. */
export const simCallSchema = z.object({
  id: z.int(),
  name: payCall,
  version: payWire,
  at: time,
  duration_ms: z.number(),
  method: z.string(),
  target: z.string(),
  body: z.string(),
  status: z.int().describe("HTTP status. 0: the caller got no answer."),
  reply: z.string(),
  outcome: z.string(),
  performed: z.boolean(),
  faults: z.array(simFaultRef),
  ...traceIds,
});

const headers = z.record(z.string(), z.string());

export const simAttemptSchema = z.object({
  attempt: z.int().describe("Number of the delivery, from 1."),
  started_at: time,
  duration_ms: z.int(),
  request: z.object({ headers, body: z.string() }),
  reply: z
    .object({ status: z.int(), headers, body: z.string() })
    .optional()
    .describe("Reply of the receiver. Absent without one."),
  verdict: notificationVerdict,
  reason: z.string().optional().describe("Reason for a missing reply."),
  trusted_result_code: trustedResultCode,
  faults: z.array(simFaultRef),
  ...traceIds,
});

export const notificationState = z
  .enum(["pending", "accepted", "given_up", "unscheduled"])
  .describe("`unscheduled`: sent once by a fault or a check, never repeated.");

export const simNotificationSchema = z.object({
  id: z.int(),
  about: notificationSubject,
  mch_id: z.string(),
  out_trade_no: z.string(),
  refund_id: z.string().optional(),
  version: payWire,
  url: z.string(),
  state: notificationState,
  created_at: time,
  due_at: time.optional().describe("When the notification is sent again. Absent during a delivery and at the end."),
  held: z
    .object({ until: time, faults: z.array(simFaultRef) })
    .optional()
    .describe("Whether a fault delays the delivery."),
  attempts: z.array(simAttemptSchema),
});

/** A buyer's attempt to pay that has failed, whoever made it: a control route, a page, a client, a payment code. */
const simPaymentAttemptSchema = z
  .object({ at: time, result: z.literal("failed"), reason: paymentFailure })
  .meta({ examples: [{ at: "2026-11-20T08:30:00.000Z", result: "failed", reason: "no_funds" }] });

/** GET /sim/orders/{out_trade_no}. */
export const simOrderDetailsSchema = z.object({
  order: simOrderSchema,
  attempts: z.array(simPaymentAttemptSchema).describe("Latest failed attempts, oldest first."),
  refunds: z.array(simRefundSchema),
  calls: z.array(simCallSchema).describe("Latest calls, oldest first."),
  notifications: z.array(simNotificationSchema).describe("Oldest first."),
});

/** POST /sim/orders/{out_trade_no}/pay: the buyer pays. */
export const simPaySchema = z.strictObject({
  payer: z.string().min(1).max(128).optional().describe("openid of the buyer, if the order has none."),
  bank_type: z.string().min(1).max(32).optional(),
  coupon_fen: z
    .int()
    .min(0)
    .optional()
    .describe("Part of the amount that coupons pay. The buyer pays the rest (payer_total, cash_fee)."),
});

const failure = paymentFailure.optional().describe("Reason of the failure. Default: the bank refuses.");

/** POST /sim/orders/{out_trade_no}/fail: the buyer's attempt fails. The reason may be in the query or in the body. */
export const simFailQuery = z.strictObject({ mch_id: mchId.optional(), how: failure });
export const simFailSchema = z.strictObject({ how: failure });

/** POST /sim/orders/{out_trade_no}/notify: the results of the deliveries. */
export const simNotifiedSchema = z.object({
  deliveries: z.array(
    z.object({
      status: z.int(),
      reply: z.string(),
      accepted: z.boolean(),
      verdict: notificationVerdict.optional(),
      trusted_result_code: trustedResultCode,
    }),
  ),
});

/** POST /sim/refunds/{refund_id}/finish. */
export const simFinishSchema = z.strictObject({ status: refundStatus.exclude(["PROCESSING"]).default("SUCCESS") });

/** GET /sim/notifications. */
export const simNotificationsQuery = z.strictObject({
  mch_id: mchId.optional(),
  out_trade_no: platformOrderNo.optional(),
  state: simNotificationSchema.shape.state.optional(),
  limit,
  before,
});
export const simNotificationsSchema = z.object({
  notifications: z.array(simNotificationSchema).describe("Newest first."),
  next_before: z.int().optional(),
});

/** GET /sim/undelivered-orders. */
export const simUndeliveredSchema = z.object({
  orders: z.array(z.object({ mch_id: z.string(), out_trade_no: z.string() })),
});

export const simMchId = mchId;

const apiKey = z
  .string()
  .regex(/^[0-9A-Za-z]{32}$/, "32 letters and digits")
  .meta({ examples: ["anyOf32LettersAndDigits012345678"] });

/** PUT /sim/merchants/{mch_id}. */
export const simMerchantChangeSchema = z.strictObject({
  app_ids: list(z.string().min(1).max(32)).min(1).max(20),
  api_v2_key: apiKey,
  api_v3_key: apiKey,
  products: list(tradeType)
    .default([...tradeType.options])
    .describe("Permitted refund operations. Others get NOAUTH."),
  certificate: z
    .string()
    .max(16_384)
    .optional()
    .describe("RSA certificate of the merchant, as PEM. The simulator's is at /sim/credentials?mch_id=…"),
  balance: z.int().min(0).nullable().optional().describe("Funds for refunds. null: unlimited."),
  platform_keys: simPlatformKeysSchema
    .optional()
    .describe("Key mode. Default: unchanged; new merchants use the certificate."),
  service_provider: mchId.optional().describe("Service provider to which the sub-merchant is bound."),
});

/** The keys are test keys, published by GET /sim/credentials. */
export const simMerchantSchema = z.object({
  mch_id: z.string(),
  app_ids: z.array(z.string()),
  api_v2_key: z.string(),
  api_v3_key: z.string(),
  products: z.array(tradeType),
  balance: z.int().optional(),
  platform_keys: simPlatformKeysSchema,
  service_provider: z.string().optional(),
});
export const simMerchantsSchema = z.object({
  merchants: z.array(simMerchantSchema).describe("Merchants, the built-in one first."),
});
