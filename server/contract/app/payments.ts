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
  tradeType,
  type TradeState,
} from "../provider/payment-terms.ts";
import { pageQuery } from "./resources.ts";
import { wholeNumber } from "../whole-number.ts";

const id = z
  .number()
  .int()
  .meta({ examples: [1] });
const time = z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] });
const amount = fen.describe("In fen, 1/100 CNY.").meta({ examples: [101] });
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
    trade_type: tradeType
      .default("JSAPI")
      .describe(
        "How it is paid: JSAPI in the mini-program, NATIVE by a QR code, MICROPAY by the buyer's payment code.",
      ),
    auth_code: z
      .string()
      .regex(/^[0-9A-Za-z]{1,128}$/, conditions["is.authCode"])
      .optional()
      .describe("The payment code that the buyer shows; for MICROPAY only, and needed there. It is not kept."),
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
      .describe("In fen; everything that has not been given back yet unless given.")
      .meta({ examples: [1] }),
    reason: z
      .string()
      .min(1)
      .max(80)
      .regex(plainText, conditions["is.plain"])
      .optional()
      .describe("As the buyer reads it.")
      .meta({ pattern: undefined }),
  })
  .meta({ title: "RefundInput" });
export type RefundInput = z.output<typeof refundInputSchema>;

export const refundSchema = z
  .object({
    id,
    order_id: id,
    out_refund_no: outRefundNo.describe("Our number of it."),
    refund_id: z.string().optional().describe("The provider's number of it, once it was accepted."),
    amount,
    reason: z.string().optional(),
    status: refundStatus.describe(
      "PROCESSING: asked for, and possibly accepted, not finished. SUCCESS: the buyer has the money. ABNORMAL: it could not be paid out. CLOSED: given up or refused; its amount can be refunded again.",
    ),
    accepted: z.boolean().describe("The provider has taken it, which is not yet a success."),
    err_code: z
      .string()
      .optional()
      .describe("Of its last call, while that has failed and had one. While it is PROCESSING, it is tried again."),
    err_text: z
      .string()
      .optional()
      .describe("Why its last call has failed, or what in its answer was wrong, in a sentence."),
    created_at: time,
    finished_at: time.optional().describe("When query refund told its end."),
  })
  .meta({ title: "Refund" });
export type ApiRefund = z.infer<typeof refundSchema>;

const tradeStateView = tradeState.describe(
  [
    "The order's state, as query order told it; no other answer and no notification decides it.",
    "NOTPAY becomes SUCCESS (paid), CLOSED, by QR or payment code USERPAYING, and by payment code PAYERROR or REVOKED;",
    "USERPAYING becomes SUCCESS, NOTPAY, PAYERROR or REVOKED; SUCCESS becomes REFUND or REVOKED; PAYERROR becomes REVOKED.",
    "Nothing follows REFUND, CLOSED and REVOKED.",
  ].join(" "),
);

const orderFields = {
  id,
  out_trade_no: outTradeNo.describe("The number by which the provider knows it.").meta({
    examples: ["H01K0XJ7Q3S5V8WTRN2M4P6Y9ZA"],
  }),
  trade_state: tradeStateView,
  trade_type: tradeType,
  description: z.string(),
  amount,
  amount_mismatch: z
    .boolean()
    .describe(
      "A notification or query order told another amount or currency: nothing is settled until a person has looked at it.",
    ),
  transaction_id: z.string().optional().describe("The provider's number of the payment."),
  created_at: time,
  updated_at: time,
  expires_at: time.describe("Nobody can pay it after that."),
  paid_at: time.optional().describe("When the buyer paid, by the provider's clock."),
  settled_at: time
    .optional()
    .describe("When the payment was taken for good, once, and what was bought became the buyer's."),
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
        "While it can be paid: what the client hands to the platform, signed, without any key. For JSAPI the parameters of requestPayment; `code_url` for NATIVE; for MWEB `mweb_url`, which is good for five minutes: repeat the request with the same Idempotency-Key for another one.",
      )
      .meta({ examples: [{ appId: "wxd930ea5d5a258f4f", package: "prepay_id=wx201410272009395522657a690389285100" }] }),
    refunds: z.array(refundSchema),
  })
  .meta({ title: "Order" });
export type ApiOrder = z.infer<typeof orderSchema>;

export const orderListQuery = z.object({
  trade_state: tradeState.optional().describe("Only orders in this state."),
  trade_type: tradeType.optional().describe("Only orders that are paid in this way."),
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
    name: z
      .string()
      .describe("The call or the notification, or what was decided on: orderquery, refund, payment, settle …"),
    return_code: z.string().optional(),
    result_code: z.string().optional(),
    trade_state: z.string().optional(),
    err_code: z.string().optional(),
    http_status: z.number().int().optional(),
    reason: z
      .string()
      .describe("In one word, for programs.")
      .meta({ examples: ["not_paid"] }),
    text: z.string().describe("In a sentence."),
    times: z.number().int().describe("How often in a row the same came of the same question; `at` is the last time."),
    ...traceIds,
    faults: z.array(faultMarkSchema).optional().describe("Faults of a test that hit its span."),
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
    .describe("Result of unified order or of the payment by code. `unknown` is retried with the same number."),
  next_query_at: time
    .optional()
    .describe("When the reconcile job looks at it again; absent when there is nothing to wait for."),
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
    .describe("Only orders that wait for a person because of their amount, or only others.")
    .meta({ type: "boolean" }),
  out_trade_no: outTradeNo.optional().describe("Only the order of this number."),
  without_checks: queryFlag
    .default(false)
    .describe("Leaves out the orders of running receiver checks.")
    .meta({ type: "boolean" }),
  q: z.string().max(100).optional().describe("Text in its number, in the provider's number or in its description."),
  before: wholeNumber(z.int().positive()).optional().describe("Only orders with a smaller id: the next page."),
  limit: wholeNumber(z.int().min(1).max(500)).default(100),
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
  total: z.number().int().describe("On all pages."),
  stored: z.number().int().describe("All orders, whatever the filter; `without_checks` alone narrows them."),
  counts: byState().describe("On all pages, by state; `trade_state` does not narrow these."),
  amounts: byState().describe("The sums of their amounts, in fen."),
});
export type StoredOrderPage = z.infer<typeof storedOrderPageSchema>;

export const orderQueryRequestSchema = z.object({
  lift_mismatch: z
    .boolean()
    .default(false)
    .describe("A person has looked at the amounts: what query order tells now counts again."),
});
