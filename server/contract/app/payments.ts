/** Orders of the application server, for clients and for the console. */
import { z } from "zod";
import { faultMarkSchema } from "../fault-mark.ts";
import { traceIds } from "../trace-ids.ts";
import { conditions } from "../messages/en/conditions.ts";
import { queryFlag } from "../query-flag.ts";
import {
  fen,
  outRefundNo,
  outTradeNo,
  refundStatus,
  tradeState,
  buyerTradeType,
  type TradeState,
} from "../provider/payment-terms.ts";
import { orderSortQuery } from "./order-sort.ts";
import { pageQuery } from "./resources.ts";
import { wholeNumber } from "../whole-number.ts";

const id = z
  .number()
  .int()
  .meta({ examples: [1] });
const time = z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] });
const amount = fen.describe("Amount in fen (1/100 CNY).").meta({ examples: [101] });
/** Excludes control characters, because the provider's XML cannot represent them. */
// oxlint-disable-next-line no-control-regex -- these are the characters that are meant
const plainText = /^[^\u0000-\u001f\ufffe\uffff]*$/;

/** Repeats of a request with the same key count as one request (our addition to the spec). */
export const idempotencyKeyHeader = "Idempotency-Key";
export const idempotencyKeySchema = z.string().regex(/^[\x21-\x7e]{1,64}$/, conditions["condition.idempotencyKey"]);

export const orderInputSchema = z
  .object({
    description: z
      .string()
      .min(1)
      .max(127)
      .regex(plainText, conditions["is.plain"])
      .describe("Description of the goods, shown to the buyer.")
      .meta({ examples: ["Two tickets"], pattern: undefined }),
    amount,
    trade_type: buyerTradeType
      .default("JSAPI")
      .describe(
        "Way of payment. JSAPI: in the mini-program. NATIVE: by a QR code. MICROPAY: by the buyer's payment code.",
      ),
    auth_code: z
      .string()
      .regex(/^[0-9A-Za-z]{1,128}$/, conditions["is.authCode"])
      .optional()
      .describe("Payment code that the buyer shows. Required for MICROPAY, otherwise not allowed. It is not stored."),
  })
  .refine((order) => (order.trade_type === "MICROPAY") === (order.auth_code !== undefined), {
    path: ["auth_code"],
    message: conditions["condition.micropay"],
  })
  .meta({ title: "OrderInput" });
export type OrderInput = z.output<typeof orderInputSchema>;

export const refundInputSchema = z
  .object({
    amount: fen
      .optional()
      .describe("Amount in fen. Default: the rest of the order that is not refunded yet.")
      .meta({ examples: [1] }),
    reason: z
      .string()
      .min(1)
      .max(80)
      .regex(plainText, conditions["is.plain"])
      .optional()
      .describe("Reason that the buyer sees.")
      .meta({ pattern: undefined }),
  })
  .meta({ title: "RefundInput" });
export type RefundInput = z.output<typeof refundInputSchema>;

export const refundSchema = z
  .object({
    id,
    order_id: id,
    out_refund_no: outRefundNo.describe("Refund number of this server."),
    refund_id: z.string().optional().describe("Refund number of the platform, once accepted."),
    amount,
    reason: z.string().optional(),
    status: refundStatus.describe(
      "PROCESSING: requested, perhaps accepted, not finished. SUCCESS: the buyer has the money. ABNORMAL: the payout failed. CLOSED: abandoned or refused; the amount can be refunded again.",
    ),
    accepted: z.boolean().describe("Whether the platform has accepted the refund. This is not yet a success."),
    err_code: z
      .string()
      .optional()
      .describe(
        "Error code of the last call, if it failed with one. While the refund is PROCESSING, the call is retried.",
      ),
    err_text: z.string().optional().describe("Error of the last call or of its reply, in one sentence."),
    created_at: time,
    finished_at: time.optional().describe("When query refund reported the end of the refund."),
  })
  .meta({ title: "Refund" });
export type ApiRefund = z.infer<typeof refundSchema>;

const tradeStateView = tradeState.describe(
  [
    "State of the order from query order. No other answer and no notification decides it.",
    "NOTPAY becomes SUCCESS (paid) or CLOSED. With a QR or payment code, it may become USERPAYING. With a payment code, it may become PAYERROR or REVOKED.",
    "USERPAYING becomes SUCCESS, NOTPAY, PAYERROR or REVOKED. SUCCESS becomes REFUND or REVOKED. PAYERROR becomes REVOKED.",
    "Nothing follows REFUND, CLOSED and REVOKED.",
  ].join(" "),
);

const orderFields = {
  id,
  out_trade_no: outTradeNo.describe("Order number of this server, as sent to the platform.").meta({
    examples: ["H01K0XJ7Q3S5V8WTRN2M4P6Y9ZA"],
  }),
  trade_state: tradeStateView,
  trade_type: buyerTradeType,
  description: z.string(),
  amount,
  amount_mismatch: z
    .boolean()
    .describe(
      "Whether a notification or query order reported another amount or currency. The order is not settled until a person allows it.",
    ),
  transaction_id: z.string().optional().describe("Payment number of the platform."),
  created_at: time,
  updated_at: time,
  expires_at: time.describe("When the order can no longer be paid."),
  paid_at: time.optional().describe("When the buyer paid, by the platform's clock."),
  settled_at: time.optional().describe("When the payment was accepted as final and the goods became the buyer's."),
};

/** An order in a list. */
export const orderSummarySchema = z.object(orderFields).meta({ title: "OrderSummary" });

export const orderSchema = z
  .object({
    ...orderFields,
    pay: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        "Parameters with which the client pays, while the order can be paid. They are signed and contain no key. JSAPI: parameters of requestPayment. NATIVE: `code_url`. With Alipay, JSAPI: `tradeNO`, APP: `orderStr`. MWEB: `mweb_url`, valid for five minutes; to get a new one, repeat the request with the same Idempotency-Key.",
      )
      .meta({ examples: [{ appId: "wxd930ea5d5a258f4f", package: "prepay_id=wx201410272009395522657a690389285100" }] }),
    refunds: z.array(refundSchema),
  })
  .meta({ title: "Order" });
export type ApiOrder = z.infer<typeof orderSchema>;

export const orderListQuery = z.object({
  trade_state: tradeState.optional().describe("Only orders in this state."),
  trade_type: buyerTradeType.optional().describe("Only orders with this way of payment."),
  ...pageQuery(100).shape,
});
export type OrderListQuery = z.output<typeof orderListQuery>;

/**
 * One line of an order's history. The three words of a reply are independent: return_code is about the communication,
 * result_code about the call, trade_state about the order.
 */
export const historyEntrySchema = z
  .object({
    id,
    at: time,
    kind: z
      .enum(["call", "reply", "notification", "decision"])
      .describe("Calls to the platform, its replies and notifications, and the resulting decisions."),
    name: z.string().describe("Name of the call, notification or decision: orderquery, refund, payment, settle …"),
    return_code: z.string().optional(),
    result_code: z.string().optional(),
    trade_state: z.string().optional(),
    err_code: z.string().optional(),
    http_status: z.number().int().optional(),
    reason: z
      .string()
      .describe("Result in one word, for programs.")
      .meta({ examples: ["not_paid"] }),
    text: z.string().describe("Explanation in one sentence."),
    times: z.number().int().describe("Number of identical results in a row. `at` is the time of the last one."),
    ...traceIds,
    faults: z.array(faultMarkSchema).optional().describe("Injected faults that hit this step."),
  })
  .meta({ title: "OrderHistoryEntry" });
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

const storedOrderFields = {
  ...orderFields,
  owner_uid: z
    .string()
    .describe("Uid of the order's owner.")
    .meta({ examples: ["u1"] }),
  placement: z
    .enum(["pending", "placed", "refused", "unknown"])
    .describe("Result of placing the order. `unknown` is retried with the same number."),
  next_query_at: time
    .optional()
    .describe("Next run of the reconcile job for the order. Absent if it waits for nothing."),
};

/** In the console's form. */
export const storedOrderSchema = z.object(storedOrderFields).meta({ title: "StoredOrder" });
export const storedOrderDetailSchema = z
  .object({ ...storedOrderFields, refunds: z.array(refundSchema), history: z.array(historyEntrySchema) })
  .meta({ title: "StoredOrderDetail" });
export type StoredOrder = z.infer<typeof storedOrderSchema>;
export type StoredOrderDetail = z.infer<typeof storedOrderDetailSchema>;

export const storedOrderQuery = z.object({
  trade_state: tradeState.optional(),
  amount_mismatch: queryFlag
    .optional()
    .describe("`true`: only orders that are held because of their amount. `false`: only others.")
    .meta({ type: "boolean" }),
  out_trade_no: outTradeNo.optional().describe("Only the order with this number."),
  without_internal: queryFlag
    .default(false)
    .describe("Excludes the orders of running receiver checks and of the console's own user.")
    .meta({ type: "boolean" }),
  q: z.string().max(100).optional().describe("Text in the order number, the platform's number or the description."),
  before: wholeNumber(z.int().positive())
    .optional()
    .describe("Only orders with a smaller id. For the next page, pass the last id of a page."),
  limit: wholeNumber(z.int().min(1).max(500)).default(100),
  ...orderSortQuery,
});
export type StoredOrderQuery = z.output<typeof storedOrderQuery>;

const count = z
  .number()
  .int()
  .meta({ examples: [0] });
const byState = () =>
  z.object(Object.fromEntries(tradeState.options.map((one) => [one, count])) as Record<TradeState, typeof count>);

export const storedOrderPageSchema = z.object({
  orders: z.array(storedOrderSchema),
  total: z.number().int().describe("Number on all pages."),
  stored: z.number().int().describe("Number of all orders, without a filter other than `without_internal`."),
  counts: byState().describe("Number on all pages by state, without the filter `trade_state`."),
  amounts: byState().describe("Sums of the amounts by state, in fen."),
});
export type StoredOrderPage = z.infer<typeof storedOrderPageSchema>;

export const orderQueryRequestSchema = z.object({
  lift_mismatch: z
    .boolean()
    .default(false)
    .describe("Whether a person has checked the amounts, so that query order decides again."),
});
