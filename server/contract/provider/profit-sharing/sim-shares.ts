/** The simulator's control routes for profit sharing. Money is fen. */
import { z } from "zod";
import { list } from "../../bounded-lists.ts";
import { endpoint } from "../../endpoint.ts";
import { simMchId } from "../sim-orders.ts";
import { shareFailure, shareReceiverType, shareResult, shareState } from "./share-terms.ts";

const shares = { access: "control", tag: "profit-sharing", status: 200 } as const;

const simShareSchema = z.object({
  order_id: z.string().describe("Number of the platform."),
  out_order_no: z.string(),
  mch_id: z.string(),
  transaction_id: z.string(),
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
  query: z.strictObject({ mch_id: simMchId.optional() }),
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

const ratio = z.strictObject({
  max_ratio: z.int().min(0).max(10_000).describe("Largest part of an order that others get, in ten thousandths."),
});

/** Sets the largest part of an order that a merchant may share. */
export const putSimShareRatio = endpoint({
  ...shares,
  id: "putSimShareRatio",
  method: "PUT",
  path: "/sim/merchants/{mch_id}/share-ratio",
  params: z.object({ mch_id: simMchId }),
  body: ratio,
  data: ratio,
});
