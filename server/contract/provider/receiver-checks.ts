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
    .describe("Where its reply has the order's number; unless given it is the order that has just appeared here."),
});

const ordersSchema = z.discriminatedUnion("from", [
  orderRequestSchema,
  z
    .strictObject({ from: z.literal("open") })
    .describe("The merchant's orders that wait for their payment now, one for each row, the oldest first."),
  z
    .strictObject({
      from: z.literal("simulator"),
      version: payVersion.default("v2"),
      sign_type: signType.default("MD5").describe("Of version 2."),
    })
    .describe("Orders that only the simulator knows. Most receivers refuse what they have not placed."),
]);

/**
 * The request with which the check finds out whether the backend has settled an order. It must not query the provider
 * itself.
 */
const statusSchema = z
  .strictObject({
    url: template.describe(
      "`{out_trade_no}` is replaced, and `{reply.PATH}` by what the reply to the order has there; in the two paths, too.",
    ),
    headers,
    settled_when: z
      .string()
      .max(400)
      .optional()
      .describe("PATH=VALUE: it has that value. PATH: it is there, and neither null, false, 0 nor empty."),
    settlements_at: jsonPath.optional().describe("Where its reply has how often the order was settled."),
  })
  .refine(({ settled_when, settlements_at }) => settled_when !== undefined || settlements_at !== undefined, {
    path: ["settled_when"],
    message: conditions["condition.settled"],
  });

/** POST /sim/receiver-checks. */
export const receiverCheckInputSchema = z
  .strictObject({
    notify_url: url
      .optional()
      .describe("Where the receiver takes notifications; the orders' own notify_url unless given."),
    refund_notify_url: url.optional().describe("Where it takes those of refunds; some rows need it."),
    mch_id: simMchId.optional().describe("Merchant number of the orders. Default: the built-in merchant."),
    orders: ordersSchema.prefault({ from: "simulator" }),
    status: statusSchema.optional(),
    person: z
      .string()
      .refine(isCheckPerson, conditions["is.checkPerson"])
      .optional()
      .describe("The simulated person who was logged in for this check. It is removed at the end, with its user."),
    only: list(receiverCheckRow).min(1).optional().describe("These rows alone."),
    settled_within_ms: milliseconds.default(2_000).describe("How long after its yes an order may be unsettled."),
    reconcile_within_ms: milliseconds
      .default(0)
      .describe("How long the receiver may take to find out about a payment of which it is never told; 0: not tried."),
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
  verdict: notificationVerdict.describe("The simulated provider's own judgement."),
  request: z.string().describe("The beginning of the body that was sent."),
  status: z.int().describe("HTTP status; 0: no answer."),
  reply: z.string().describe("Its beginning."),
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
  queries: count.describe("How often it asked query order."),
  deliveries: z.array(deliverySchema),
  duration_ms: count,
});
export type ReceiverCheckResult = z.infer<typeof receiverCheckResultSchema>;

export const receiverCheckSchema = z.object({
  id: z.int(),
  state: z.enum(["running", "done", "cancelled", "failed"]).describe("failed: it could not go on; `problem` says why."),
  problem: z.string().optional(),
  notify_url: z.string().optional(),
  refund_notify_url: z.string().optional(),
  mch_id: z.string().optional(),
  orders: z
    .object({
      from: z.enum(["backend", "open", "simulator"]),
      version: payVersion.optional(),
      sign_type: signType.optional(),
    })
    .describe("Where its orders come from."),
  asks_status: z.boolean().describe("Whether it asks the backend which orders are settled."),
  only: z.array(receiverCheckRow).optional().describe("The rows that were asked for; all unless given."),
  started_at: time,
  ended_at: time.optional(),
  planned: z.array(receiverCheckRow).describe("In this order."),
  results: z.array(receiverCheckResultSchema).describe("Of the rows that are done."),
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
