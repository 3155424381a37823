/** The simulator's control routes for profit sharing. Money is fen. */
import { z } from "zod";
import { list } from "../../bounded-lists.ts";
import { endpoint } from "../../endpoint.ts";
import { simMchId, simOfOrderQuery } from "../sim-orders.ts";
import { shareFailure, shareReceiverType, shareResult, shareState } from "./share-terms.ts";

const shares = { access: "control", tag: "profit-sharing", status: 200 } as const;

const simShareSchema = z.object({
  order_id: z.string().describe("Number of the platform."),
  out_order_no: z.string(),
  mch_id: z.string(),
  transaction_id: z.string(),
  out_trade_no: z.string().describe("Merchant's number of the shared order."),
  state: shareState,
  created_at: z.iso.datetime(),
  receivers: z.array(
    z.object({
      type: shareReceiverType,
      account: z.string(),
      amount: z.int(),
      description: z.string(),
      result: shareResult,
      fail_reason: shareFailure.optional(),
      returned: z.int().describe("Fen that came back."),
    }),
  ),
});
export type SimShare = z.infer<typeof simShareSchema>;

/** Lists the requests to share orders, newest first. */
export const listSimShares = endpoint({
  ...shares,
  id: "listSimShares",
  method: "GET",
  path: "/sim/shares",
  query: simOfOrderQuery,
  data: z.object({ shares: z.array(simShareSchema) }),
});

/** Ends a request to share that is PROCESSING. */
export const finishSimShare = endpoint({
  ...shares,
  id: "finishSimShare",
  method: "POST",
  path: "/sim/shares/{order_id}/finish",
  params: z.object({ order_id: z.string() }),
  body: z.strictObject({
    failures: list(z.strictObject({ account: z.string(), reason: shareFailure }))
      .max(50)
      .default([])
      .describe("Receivers that get nothing. All others get their part."),
  }),
  data: simShareSchema,
  errors: [404],
});

const settings = z.strictObject({
  max_ratio: z
    .int()
    .min(0)
    .max(10_000)
    .default(3_000)
    .describe("Largest part of an order that others get, in ten thousandths."),
  notify_url: z
    .string()
    .max(256)
    .regex(/^https?:\/\//, "an http or https address")
    .optional()
    .describe("Where the merchant is notified of parts that it gets and returns."),
});

/** Replaces a merchant's settings of profit sharing. */
export const putSimShareSettings = endpoint({
  ...shares,
  id: "putSimShareSettings",
  method: "PUT",
  path: "/sim/merchants/{mch_id}/share-settings",
  params: z.object({ mch_id: simMchId }),
  body: settings,
  data: settings,
});
