/** The check of a receiver of payment notifications: the request of POST /sim/receiver-checks, and the report. */
import { z } from "zod";
import { conditions } from "../../messages/en/conditions.ts";
import { list } from "../../bounded-lists.ts";
import { notificationVerdict } from "../notification-verdicts.ts";
import { payVersion, payWire, signType } from "../payment-terms.ts";
import { isCheckPerson } from "../internal-people.ts";
import { backendActionsSchema, orderRequestSchema, statusSchema } from "./receiver-check-requests.ts";
import { receiverCheckRow } from "./receiver-check-rows.ts";
import { simMchId } from "../sim-orders.ts";

const url = z
  .string()
  .max(2048)
  .refine((value) => /^https?:/i.test(value) && URL.canParse(value), conditions["is.httpUrl"]);
/** The longest that a check waits for a receiver. */
export const mostWaitMs = 600_000;
const milliseconds = z.int().min(0).max(mostWaitMs);

const ordersSchema = z.discriminatedUnion("from", [
  orderRequestSchema,
  z.strictObject({ from: z.literal("open") }).describe("The merchant's unpaid orders, one for each row, oldest first."),
  z
    .strictObject({
      from: z.literal("simulator"),
      version: payVersion.default("v2"),
      sign_type: signType.default("MD5").describe("Signature type of version 2."),
    })
    .describe("Orders that only the simulator has. Most receivers refuse orders that they did not place."),
]);

/** POST /sim/receiver-checks. */
export const receiverCheckInputSchema = z
  .strictObject({
    notify_url: url.optional().describe("Address of the notification receiver. Default: the notify_url of each order."),
    refund_notify_url: url
      .optional()
      .describe("Address of the receiver of refund notifications. Some rows require it."),
    product_notify_url: url
      .optional()
      .describe("Address of the receiver of notifications of other products. Their rows require it."),
    mch_id: simMchId.optional().describe("Merchant number of the orders. Default: the built-in merchant."),
    orders: ordersSchema.prefault({ from: "simulator" }),
    status: statusSchema.optional(),
    actions: backendActionsSchema
      .optional()
      .describe("Further requests to the backend. With them the check also runs the rows about the whole integration."),
    person: z
      .string()
      .refine(isCheckPerson, conditions["is.checkPerson"])
      .optional()
      .describe("The simulated person who was logged in for this check. It is removed at the end, with its user."),
    only: list(receiverCheckRow).min(1).optional().describe("Rows to run. Default: all."),
    settled_within_ms: milliseconds.default(2_000).describe("Maximum time from acceptance to settlement, in ms."),
    reconcile_within_ms: milliseconds
      .default(0)
      .describe("Maximum time to detect a payment without a notification, in ms. 0: not tested."),
  })
  .refine(({ notify_url, orders }) => notify_url !== undefined || orders.from !== "simulator", {
    path: ["notify_url"],
    message: conditions["is.notifyUrl"],
  });
export type ReceiverCheckInput = z.output<typeof receiverCheckInputSchema>;
export type ReceiverCheckRequest = z.input<typeof receiverCheckInputSchema>;

const time = z.iso.datetime();
const count = z.int().min(0);

const deliverySchema = z.object({
  verdict: notificationVerdict.describe("Verdict of the simulated platform."),
  request: z.string().describe("Beginning of the sent body."),
  status: z.int().describe("HTTP status. 0: no answer."),
  reply: z.string().describe("Beginning of the reply."),
});

const exchangeSchema = z.object({
  request: z.string().describe("Method, URL and body of a request to the backend."),
  status: z.int().describe("HTTP status. 0: no answer."),
  reply: z.string().describe("Beginning of the reply."),
});
export type CheckedExchange = z.infer<typeof exchangeSchema>;

export const receiverCheckResultSchema = z.object({
  row: receiverCheckRow,
  name: z.string(),
  sent: z.string(),
  right: z.string().describe("Expected behaviour of the receiver."),
  why: z.string().describe("Consequence of a mistake here."),
  verdict: z.enum(["pass", "fail", "not_judged"]),
  seen: z.string().describe("Behaviour of the receiver, or the reason for no verdict."),
  failings: z.array(z.string()).describe("Failures, one sentence each."),
  version: payWire.optional(),
  sign_type: signType.optional(),
  out_trade_no: z.string().optional(),
  queries: count.describe("Number of queries of the order."),
  deliveries: z.array(deliverySchema),
  exchanges: z.array(exchangeSchema).describe("Requests to the backend, other than notifications."),
  duration_ms: count,
});
export type ReceiverCheckResult = z.infer<typeof receiverCheckResultSchema>;

export const receiverCheckSchema = z.object({
  id: z.int(),
  state: z
    .enum(["running", "done", "cancelled", "failed"])
    .describe("`failed`: the check could not continue; `problem` has the reason."),
  problem: z.string().optional(),
  notify_url: z.string().optional(),
  refund_notify_url: z.string().optional(),
  product_notify_url: z.string().optional(),
  mch_id: z.string().optional(),
  orders: z
    .object({
      from: z.enum(["backend", "open", "simulator"]),
      version: payWire.optional(),
      sign_type: signType.optional(),
    })
    .describe("Source of the orders."),
  asks_status: z.boolean().describe("Whether the check asks the backend which orders are settled."),
  only: z.array(receiverCheckRow).optional().describe("Requested rows. Default: all."),
  started_at: time,
  ended_at: time.optional(),
  planned: z.array(receiverCheckRow).describe("Rows in the order in which they run."),
  results: z.array(receiverCheckResultSchema).describe("Results of the finished rows."),
  counts: z.object({ pass: count, fail: count, not_judged: count }),
});
export type ReceiverCheck = z.infer<typeof receiverCheckSchema>;

export const receiverChecksSchema = z.object({ checks: z.array(receiverCheckSchema).describe("Newest first.") });

/** A progress line of the check, as JSON, when requested as application/x-ndjson. */
export const receiverCheckProgressSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), check: receiverCheckSchema }),
  z.object({ type: z.literal("row"), row: receiverCheckRow }),
  z.object({ type: z.literal("result"), result: receiverCheckResultSchema }),
  z.object({ type: z.literal("ended"), check: receiverCheckSchema }),
]);
export type ReceiverCheckProgress = z.infer<typeof receiverCheckProgressSchema>;
