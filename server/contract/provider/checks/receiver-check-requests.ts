/** The requests that a check sends to the checked backend: they place orders, read them, refund them, and so on. */
import { z } from "zod";
import { dictionary } from "../../bounded-lists.ts";
import { conditions } from "../../messages/en/conditions.ts";

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

/**
 * A request to the backend. `{unique}` is replaced by a new text, `{amount}` by an amount in fen, `{date}` by a day,
 * `{out_trade_no}` by the order number, and `{reply.PATH}` by the value at PATH in the reply to the order.
 */
const backendRequest = z.strictObject({
  url: template,
  method: z
    .string()
    .regex(/^[A-Z]{3,7}$/, conditions["is.capitalMethod"])
    .default("POST"),
  headers,
  body: z.string().max(65_536).optional(),
});

/** The request with which the check lets the backend place an order. */
export const orderRequestSchema = backendRequest.extend({
  from: z.literal("backend"),
  out_trade_no_at: jsonPath
    .optional()
    .describe("Path of the order number in the reply. Default: the order that has just appeared in the simulator."),
});

/**
 * The request with which the check finds out whether the backend has settled an order. It must not query the provider
 * itself.
 */
export const statusSchema = z
  .strictObject({
    url: template.describe(
      "Address of the status request. `{out_trade_no}` becomes the order number, and `{reply.PATH}` the value at PATH in the reply to the order. Both also work in the paths.",
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
    failed_when: z.string().max(400).optional().describe("Condition for an order that the backend shows as failed."),
    refunded_at: jsonPath.optional().describe("Path of the refunded amount in fen."),
  })
  .refine(({ settled_when, settlements_at }) => settled_when !== undefined || settlements_at !== undefined, {
    path: ["settled_when"],
    message: conditions["condition.settled"],
  });

/** What else the check may ask of the backend. */
export const backendActionsSchema = z.strictObject({
  refund: backendRequest.optional().describe("Refunds `{amount}` fen of an order."),
  close: backendRequest.optional().describe("Closes an unpaid order."),
  pay: backendRequest
    .extend({ prepay_at: jsonPath.describe("Path of the prepay id in the reply, or of a text that contains it.") })
    .optional()
    .describe("Asks again for what the buyer needs to pay an unpaid order."),
  reconcile: backendRequest
    .extend({ differences_at: jsonPath.describe("Path of the number of differences in the reply.") })
    .optional()
    .describe("Compares the platform's bill of the day `{date}` with the backend's orders."),
});
export type BackendActions = z.output<typeof backendActionsSchema>;
