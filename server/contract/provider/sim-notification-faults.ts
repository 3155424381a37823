/** Faults of notifications, of both versions. */
import { z } from "zod";
import { conditions } from "../messages/en/conditions.ts";
import { list } from "../bounded-lists.ts";
import { notificationVerdict, trustedResultCode } from "./notification-verdicts.ts";
import { errCode } from "./sim-call-faults.ts";
import { paymentFault, pauseMs } from "./sim-fault-parts.ts";

const about = z
  .enum(["payment", "refund"])
  .optional()
  .describe("The notifications that it is for; those of payments and of refunds unless given.");

const amount = {
  by: z.int().min(-1_000_000_000).max(1_000_000_000).default(0).describe("Fen that it is off by."),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, conditions["is.currency"])
    .optional()
    .describe("Another currency."),
};
const isOff = { path: ["by"], message: conditions["condition.amountOff"] };

const delayed = z
  .strictObject({
    about,
    by_ms: pauseMs.optional().describe("So long."),
    until: z
      .enum(["queried", "expired"])
      .optional()
      .describe("Until the merchant has asked for the order by itself, or until the order's time is over."),
  })
  .refine(({ by_ms, until }) => (by_ms === undefined) !== (until === undefined), {
    path: ["by_ms"],
    message: conditions["condition.delay"],
  });

const signingKey = z
  .enum(["certificate", "public_key"])
  .default("public_key")
  .describe("The key that signs: the newest certificate, or the public key.");

/** Kinds that describe a single delivery, so that they can also be sent at once. */
const sendable = [
  paymentFault(
    "notification_signature",
    "The signature is forged or missing, or what was encrypted has been tampered with.",
    z.strictObject({
      about,
      how: z
        .enum([
          "wrong_key",
          "changed_field",
          "missing",
          "other_type",
          "signtest",
          "unknown_serial",
          "timestamp_past",
          "timestamp_future",
          "tampered_tag",
          "tampered_aad",
        ])
        .default("wrong_key")
        .describe(
          "`changed_field`: the right signature of other values. `other_type`: of a type that the order does not use. The last six are of version 3 (timestamps are 6 minutes off); version 2 has a changed signature in their place, and in a refund, which has none, a changed req_info.",
        ),
    }),
  ),
  paymentFault(
    "notification_duplicate",
    "The notification comes several times.",
    z.strictObject({
      about,
      copies: z.int().min(2).max(10).default(2).describe("How many in all."),
      concurrent: z.boolean().default(false).describe("All at the same time, not one after another."),
      gap_ms: pauseMs.default(0).describe("One after another: so long between them."),
    }),
  ),
  paymentFault(
    "notification_foreign",
    "It is signed rightly, and one of its ids is somebody else's.",
    z.strictObject({
      about,
      field: z.enum(["mch_id", "appid", "out_trade_no", "transaction_id"]).describe("Which id."),
      value: z.string().min(1).max(32).optional().describe("The id in its place; one that nobody has unless given."),
    }),
  ),
  paymentFault(
    "notification_malformed",
    "The body is broken, or holds what nobody expects.",
    z.strictObject({
      about,
      how: z
        .enum(["no_markup", "doctype", "huge", "duplicate_keys", "extra_fields", "sign_type"])
        .default("no_markup")
        .describe(
          "`no_markup`: neither XML nor JSON. `doctype`: with a document type and an entity (version 3: XML in place of JSON). `huge`: 10 MB. `extra_fields`: unknown ones, signed with the others; the receiver must take it. `sign_type`: version 2, a payment: with that field where it is missing otherwise, and without it where it is not; the receiver must take both.",
        ),
    }),
  ),
  paymentFault(
    "notification_return_code_fail",
    "It tells of a failed communication, unsigned; it is no news of an order.",
    z.strictObject({
      about,
      message: z.string().min(1).max(128).default("system busy").describe("The return_msg."),
    }),
  ),
  paymentFault(
    "notification_result_code_fail",
    "It is signed and says result_code FAIL (version 3: trade_state PAYERROR), though the order is paid.",
    z.strictObject({ code: errCode.default("BANKERROR").describe("The err_code.") }),
  ),
] as const;

const wrongAmount = z.strictObject({
  about,
  where: z.enum(["notification", "query", "both"]).default("notification").describe("What tells the wrong amount."),
  ...amount,
});

export const notificationFaults = [
  ...sendable,
  paymentFault(
    "wrong_amount",
    "The amount is not that of the order: in notifications, in the answers of queries, or in both.",
    wrongAmount.refine(({ by, currency }) => by !== 0 || currency !== undefined, isOff),
  ),
  paymentFault(
    "key_switched",
    "Version 3: the platform's key is switched under you. Another key than the merchant's mode says signs, rightly.",
    z.strictObject({
      about,
      where: z
        .enum(["notification", "reply", "both"])
        .default("both")
        .describe("The messages that the other key signs. `about` selects among notifications."),
      to: signingKey,
    }),
  ),
  paymentFault(
    "forged_success",
    "As soon as an order has been placed, a rightly signed notification says that it is paid. It is not.",
    z.strictObject({ after_ms: pauseMs.default(0).describe("So long after it was placed.") }),
  ),
  paymentFault(
    "notification_order",
    "Notifications come in another order than things happened.",
    z.strictObject({
      how: z
        .enum(["refund_first", "older_after_newer", "payment_after_close"])
        .describe(
          "`refund_first`: the payment's comes after the refund's. `older_after_newer`: the payment's comes once more after it. `payment_after_close`: one of a payment comes when the order has been closed unpaid.",
        ),
    }),
  ),
  paymentFault("notification_lost", "The notification is never sent.", z.strictObject({ about })),
  paymentFault("notification_delayed", "The notification comes late.", delayed),
] as const;

const [signature, duplicate, foreign, malformed, returnCodeFail, resultCodeFail] = sendable;
const pick = { kind: true, params: true } as const;

/** POST /sim/orders/{out_trade_no}/notifications: what to send at once about the order, in any state. */
export const simSendingSchema = z.discriminatedUnion(
  "kind",
  [
    z
      .strictObject({
        kind: z.literal("genuine"),
        params: z.strictObject({ about }).prefault({}),
      })
      .describe("What would be sent of the order as it is: of a paid one that it is paid, of a refund how it stands."),
    z
      .strictObject({ kind: z.literal("forged_success"), params: z.strictObject({}).prefault({}) })
      .describe("A rightly signed notification that the order is paid, whatever it is."),
    z
      .strictObject({
        kind: z.literal("wrong_amount"),
        params: z
          .strictObject(amount)
          .refine(({ by, currency }) => by !== 0 || currency !== undefined, isOff)
          .prefault({} as never),
      })
      .describe("The amount is not that of the order."),
    z
      .strictObject({
        kind: z.literal("key_switched"),
        params: z.strictObject({ about, to: signingKey }).prefault({}),
      })
      .describe("Version 3: signed rightly by this key of the platform, whatever the merchant's mode."),
    signature.pick(pick),
    duplicate.pick(pick),
    foreign.pick(pick),
    malformed.pick(pick),
    returnCodeFail.pick(pick),
    resultCodeFail.pick(pick),
  ],
  { error: conditions["is.notificationKind"] },
);
export type SimSending = z.output<typeof simSendingSchema>;

/** The receiver's answer to each delivery, in order. */
export const simSendingResultSchema = z.object({
  deliveries: list(
    z.object({
      status: z.int().describe("HTTP status; 0: it did not answer."),
      reply: z.string(),
      accepted: z.boolean().describe("The receiver took it for delivered."),
      expected: z.enum(["accept", "refuse", "either"]).describe("What a correct receiver does."),
      verdict: notificationVerdict.optional(),
      trusted_result_code: trustedResultCode,
    }),
  ),
});
