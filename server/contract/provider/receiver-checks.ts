/** The check of a receiver of payment notifications: the request of POST /sim/receiver-checks, and the report. */
import { z } from "zod";
import { conditions } from "../messages/en/conditions.ts";
import { dictionary, list } from "../bounded-lists.ts";
import { notificationVerdict } from "./notification-verdicts.ts";
import { payVersion, signType } from "./payment-terms.ts";
import { isCheckPerson } from "./internal-people.ts";
import { receiverCheckRow } from "./receiver-check-rows.ts";
import { simMchId } from "./sim-orders.ts";

const url = z
  .string()
  .max(2048)
  .refine((value) => /^https?:/i.test(value) && URL.canParse(value), conditions["is.httpUrl"]);
/** Contains placeholders, so it is a URL only after they are filled. */
const template = z
  .string()
  .max(2048)
  .regex(/^https?:\/\/./i, conditions["is.httpUrl"]);
/** An HTTP token (RFC 9110, 5.6.2). */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headers = dictionary(z.string().regex(headerName, conditions["is.headerOfCheck"]), z.string().max(8192)).default(
  {},
);
const jsonPath = z
  .string()
  .max(200)
  .regex(/^[^\s.[\]]+(?:\.[^\s.[\]]+|\[[^[\]]+\])*$/, conditions["is.statePath"]);
/** The longest that a check waits for a receiver. */
export const mostWaitMs = 600_000;
const milliseconds = z.int().min(0).max(mostWaitMs);

/**
 * The request with which the check lets the backend place an order. `{unique}` is replaced by a new text for each
 * order.
 */
const orderRequestSchema = z.strictObject({
  from: z.literal("backend"),
  url: template,
  method: z
    .string()
    .regex(/^[A-Z]{3,7}$/, conditions["is.capitalMethod"])
    .default("POST"),
  headers,
  body: z.string().max(65_536).optional(),
  out_trade_no_at: jsonPath
    .optional()
    .describe("Path of the order number in the reply. Default: the order that has just appeared in the simulator."),
});

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

/**
 * The request with which the check finds out whether the backend has settled an order. It must not query the provider
 * itself.
 */
const statusSchema = z
  .strictObject({
    url: template.describe(
      "Address of the status request. `{out_trade_no}` becomes the order number, and `{reply.PATH}` the value at PATH in the reply to the order. Both also work in the two paths.",
    ),
    headers,
    settled_when: z
      .string()
      .max(400)
      .optional()
      .describe(
        "Condition for a settled order. PATH=VALUE: the value is equal. PATH: the value exists and is not null, false, 0 or empty.",
      ),
    settlements_at: jsonPath.optional().describe("Path of the number of settlements in the reply."),
  })
  .refine(({ settled_when, settlements_at }) => settled_when !== undefined || settlements_at !== undefined, {
    path: ["settled_when"],
    message: conditions["condition.settled"],
  });

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

export const receiverCheckResultSchema = z.object({
  row: receiverCheckRow,
  name: z.string(),
  sent: z.string(),
  right: z.string().describe("Expected behaviour of the receiver."),
  verdict: z.enum(["pass", "fail", "not_judged"]),
  seen: z.string().describe("Behaviour of the receiver, or the reason for no verdict."),
  failings: z.array(z.string()).describe("Failures, one sentence each."),
  version: payVersion.optional(),
  sign_type: signType.optional(),
  out_trade_no: z.string().optional(),
  queries: count.describe("Number of queries of the order."),
  deliveries: z.array(deliverySchema),
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
      version: payVersion.optional(),
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
