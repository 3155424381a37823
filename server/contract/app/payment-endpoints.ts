/** The payment operations of the application server. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import {
  idempotencyKeyHeader,
  orderInputSchema,
  orderListQuery,
  orderSchema,
  orderSummarySchema,
  refundInputSchema,
  refundSchema,
} from "./payments.ts";
import { idParams } from "./resources.ts";

const business = { tag: "orders", access: "login" } as const;
const one = { ...business, path: "/api/orders/{id}", params: idParams } as const;

/**
 * Places an order with the payment provider (unified order; for MICROPAY, the payment by code) and answers it with what the
 * client needs to pay. A repeat with the same Idempotency-Key and the same body answers the same order, also while the
 * first is under way; with another body it is refused (400). When nobody knows what came of the call, 503 with Location:
 * repeat it with the same key, or ask there. An order that has ended meanwhile is not placed again. What the provider
 * refuses is 400 or 403 with its err_code.
 */
export const createOrder = endpoint({
  ...business,
  id: "createOrder",
  method: "POST",
  path: "/api/orders",
  status: 201,
  body: orderInputSchema,
  data: orderSchema,
  requestHeaders: [idempotencyKeyHeader],
  replyHeaders: ["Location"],
  errors: [403, 404],
});

/** Answers a page of the caller's orders, the newest first, as they were last seen: the provider is not asked. */
export const listOrders = endpoint({
  ...business,
  id: "listOrders",
  method: "GET",
  path: "/api/orders",
  status: 200,
  query: orderListQuery,
  data: z.array(orderSummarySchema),
  replyHeaders: ["Link", "X-Total-Count"],
});

/**
 * Answers an order. While it is NOTPAY or USERPAYING, the provider is asked first (query order): this is how a client
 * learns whether a payment that the platform called ok has arrived. 503 when the query fails.
 */
export const getOrder = endpoint({
  ...one,
  id: "getOrder",
  method: "GET",
  status: 200,
  data: orderSchema,
  errors: [403, 404],
});

/**
 * Closes an order, so that nobody can pay it any more. A payment that arrives at the same moment wins: 403, and the
 * order is settled. Closing a closed order succeeds. 503 when the provider does not answer or asks for a later retry.
 */
export const createClosure = endpoint({
  ...one,
  id: "createClosure",
  method: "POST",
  path: "/api/orders/{id}/closures",
  status: 200,
  data: orderSchema,
  errors: [403, 404],
});

/**
 * Refunds an order, in full or in part. 201 means that the provider has accepted the refund, not that the buyer has the
 * money: query refund decides its status. 503 when it is unknown whether the provider accepted it, or when the merchant
 * lacks the money. This server then retries with the same refund number, and so does a repeat of the request, so that
 * nothing is refunded twice.
 */
export const createRefund = endpoint({
  ...one,
  id: "createRefund",
  method: "POST",
  path: "/api/orders/{id}/refunds",
  status: 201,
  body: refundInputSchema,
  data: refundSchema,
  requestHeaders: [idempotencyKeyHeader],
  errors: [403, 404],
});

/**
 * Reverses a payment by code (MICROPAY): a paid amount is refunded, an unpaid order is closed. 503 while the buyer
 * types the password or the provider does not answer. The reversal then continues automatically, even if the buyer pays
 * meanwhile.
 */
export const createReversal = endpoint({
  ...one,
  id: "createReversal",
  method: "POST",
  path: "/api/orders/{id}/reversals",
  status: 200,
  data: orderSchema,
  errors: [403, 404],
});

const failure = z
  .object({ code: z.literal("FAIL"), message: z.string().meta({ examples: ["the order is not paid"] }) })
  .meta({ title: "NotificationFailure" });
const notification = { tag: "payment-notifications", access: "none", method: "POST", status: 200 } as const;
/** Real notifications have about 1 KiB. */
export const maxNotificationBytes = 65_536;
const answers = {
  produces: ["text/xml", "application/json"],
  maxBodyBytes: maxNotificationBytes,
  refusals: { "text/xml": z.string(), "application/json": failure },
  errors: [404, 409, 415, 503],
} as const;

const text = (describe: string) => z.string().describe(describe);
const word = z.enum(["SUCCESS", "FAIL"]);

const paymentFieldsV2 = z
  .looseObject({
    return_code: word.describe("Of the communication. FAIL is acknowledged and ignored."),
    return_msg: z.string().optional(),
    appid: z.string(),
    mch_id: z.string(),
    nonce_str: z.string(),
    sign: text("MD5 or HMAC-SHA256 over all other fields, known or not."),
    result_code: word.describe(
      "Of this notification. It proves nothing: query order is asked, and trade_state decides.",
    ),
    out_trade_no: text("The order."),
    transaction_id: text("The payment; must be that of query order."),
    total_fee: text("In fen; must be the order's and that of query order."),
    time_end: z.string(),
  })
  .meta({ title: "PaymentNotificationV2" });
const refundFieldsV2 = z
  .looseObject({
    return_code: word,
    appid: z.string(),
    mch_id: z.string(),
    nonce_str: z.string(),
    req_info: text("The encrypted fields of the refund. Nothing is signed: query refund is asked."),
  })
  .meta({ title: "RefundNotificationV2" });
const sealedV3 = z
  .looseObject({
    id: z.string(),
    create_time: z.string(),
    event_type: z.string().meta({ examples: ["TRANSACTION.SUCCESS"] }),
    resource_type: z.literal("encrypt-resource"),
    summary: z.string(),
    resource: z.object({
      original_type: z.string(),
      algorithm: z.literal("AEAD_AES_256_GCM"),
      ciphertext: z.string(),
      associated_data: z.string().optional(),
      nonce: z.string(),
    }),
  })
  .describe("Signed over its exact bytes by the Wechatpay- headers.")
  .meta({ title: "NotificationV3" });

/**
 * Takes a payment result notification of the provider: version 2 as XML, version 3 as JSON, by the content type. It is
 * verified, then query order is asked, and only trade_state decides; an order is settled once, however often it is told.
 * The reply is that of the version: XML with return_code SUCCESS or FAIL; 200, or 4xx or 5xx with code FAIL, and
 * the header Hearth-Refusal with the reason in one word. Whoever gets FAIL tells it again. For the provider, not for clients: no login, no status package.
 */
export const createPaymentNotification = endpoint({
  ...notification,
  ...answers,
  id: "createPaymentNotification",
  path: "/api/payments/notifications",
  rawBody: { "application/xml": paymentFieldsV2, "application/json": sealedV3 },
});

/**
 * Takes a refund notification, in the same ways. Query refund decides what has become of the refund.
 */
export const createRefundNotification = endpoint({
  ...notification,
  ...answers,
  id: "createRefundNotification",
  path: "/api/payments/refund-notifications",
  rawBody: { "application/xml": refundFieldsV2, "application/json": sealedV3 },
});
