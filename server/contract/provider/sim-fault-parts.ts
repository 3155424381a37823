/** The common members of all faults of the simulated platform, and helpers for declaring their kinds. */
import { conditions } from "../messages/en/conditions.ts";
import { z } from "zod";
import { platformOrderNo } from "./payment-terms.ts";

const scope = z
  .strictObject({
    mch_id: z.string().min(1).max(32).optional().describe("Merchant number."),
    out_trade_no: platformOrderNo.optional().describe("Order number."),
  })
  .default({})
  .describe("Limits the fault to one order or one merchant. Default: no limit.");

const common = {
  times: z.int().min(1).max(1_000_000).optional().describe("How many times it fires. Default: unlimited."),
  probability: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("Share of the matching calls or notifications that the fault hits."),
  seed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(1)
    .describe("Seed of the random choice. The same seed hits the same ones."),
  note: z.string().max(500).optional().describe("Note for people who read the list of faults."),
};

/** Omitted members count as empty, so that the refusal names the missing parameter. */
const given = <Params extends z.ZodType>(params: Params) => params.prefault({} as never);

const noSuchMember = {
  error: (issue: { code?: string }) => (issue.code === "unrecognized_keys" ? conditions["is.noMember"] : undefined),
};

/** A kind of fault for payment orders. */
export const paymentFault = <const Kind extends string, Params extends z.ZodType>(
  kind: Kind,
  description: string,
  params: Params,
) =>
  z
    .strictObject({ kind: z.literal(kind), params: given(params), scope, ...common }, noSuchMember)
    .describe(description);

/** A kind of fault for the identity API, which has no orders and no merchants. */
export const identityFault = <const Kind extends string, Params extends z.ZodType>(
  kind: Kind,
  description: string,
  params: Params,
) => z.strictObject({ kind: z.literal(kind), params: given(params), ...common }, noSuchMember).describe(description);

export const longestPauseMs = 300_000;
/** A duration in milliseconds. */
export const pauseMs = z.int().min(0).max(longestPauseMs);
