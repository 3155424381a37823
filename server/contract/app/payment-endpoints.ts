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
 * Places an order with the platform and returns the parameters with which the client pays. Hearth calls unified order;
 * MICROPAY uses the payment by code. A repeat with the same Idempotency-Key and body returns the same order, even while
 * the first request is still running. The same key with another body is refused (400). If the result is unknown, the
 * answer is 503 with Location: retry with the same key, or query that address. An order that has ended in the meantime
 * is not placed again. A refusal by the platform becomes 400 or 403 with the platform's err_code.
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

/**
 * Returns a page of the caller's orders, newest first. Each order has its last known state; the platform is not
 * queried.
 */
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
 * Returns an order. While its state is NOTPAY or USERPAYING, Hearth queries the platform first. A client can thus check
 * whether a payment has really arrived. If the query fails, the answer is 503.
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
 * Closes an order, so that it can no longer be paid. If a payment arrives at the same moment, the payment wins: the
 * answer is 403, and the order is settled. Closing a closed order succeeds. If the platform does not answer or asks for
 * a later retry, the answer is 503.
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
 * Refunds an order, in full or in part. 201 means that the platform has accepted the refund, not that the buyer has the
 * money. Query refund decides the refund's status. If it is unknown whether the platform accepted the refund, or the
 * merchant lacks the money, the answer is 503. Hearth and a repeated request then use the same refund number, so
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
 * Reverses a payment by code (MICROPAY). A paid order is refunded, an unpaid order is closed. While the buyer enters
 * the password or the platform does not answer, the answer is 503. The reversal then continues automatically, even if
 * the buyer pays in the meantime.
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
    return_code: word.describe("Status of the communication. FAIL is acknowledged and ignored."),
    return_msg: z.string().optional(),
    appid: z.string(),
    mch_id: z.string(),
    nonce_str: z.string(),
    sign: text("Signature over all other fields, known or unknown: MD5 or HMAC-SHA256."),
    result_code: word.describe(
      "Result in this notification. It proves nothing: only trade_state of query order decides.",
    ),
    out_trade_no: text("Merchant's order number."),
    transaction_id: text("Number of the payment. Must equal that of query order."),
    total_fee: text("Amount in fen. Must equal that of the order and of query order."),
    time_end: z.string(),
  })
  .meta({ title: "PaymentNotificationV2" });
const refundFieldsV2 = z
  .looseObject({
    return_code: word,
    appid: z.string(),
    mch_id: z.string(),
    nonce_str: z.string(),
    req_info: text("Encrypted fields of the refund. They are not signed, so only query refund decides."),
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
  .describe("Body whose exact bytes are signed in the Wechatpay- headers.")
  .meta({ title: "NotificationV3" });

/**
 * Receives a payment notification from the platform. The content type decides the version: XML is version 2, JSON is
 * version 3. Hearth verifies the notification and then queries the order: only trade_state decides. An order is settled
 * once, however many notifications arrive. Version 2 gets XML with return_code SUCCESS or FAIL. Version 3 gets 200, or
 * 4xx or 5xx with code FAIL. A failure names its reason in the header Hearth-Refusal, and the platform sends the
 * notification again. Only the platform calls this operation: it needs no login and returns no status package.
 */
export const createPaymentNotification = endpoint({
  ...notification,
  ...answers,
  id: "createPaymentNotification",
  path: "/api/payments/notifications",
  rawBody: { "application/xml": paymentFieldsV2, "application/json": sealedV3 },
});

/**
 * Receives a refund notification from the platform. It is handled like a payment notification; query refund decides the
 * refund's status.
 */
export const createRefundNotification = endpoint({
  ...notification,
  ...answers,
  id: "createRefundNotification",
  path: "/api/payments/refund-notifications",
  rawBody: { "application/xml": refundFieldsV2, "application/json": sealedV3 },
});
