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
  .describe("Notifications that the fault hits. Default: payments and refunds.");

const amount = {
  by: z.int().min(-1_000_000_000).max(1_000_000_000).default(0).describe("Difference in fen."),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, conditions["is.currency"])
    .optional()
    .describe("Currency to report instead."),
};
const isOff = { path: ["by"], message: conditions["condition.amountOff"] };

const delayed = z
  .strictObject({
    about,
    by_ms: pauseMs.optional().describe("Delay in milliseconds."),
    until: z
      .enum(["queried", "expired"])
      .optional()
      .describe("Holds the notification until the merchant queries the order, or until the order expires."),
  })
  .refine(({ by_ms, until }) => (by_ms === undefined) !== (until === undefined), {
    path: ["by_ms"],
    message: conditions["condition.delay"],
  });

const signingKey = z
  .enum(["certificate", "public_key"])
  .default("public_key")
  .describe("Key that signs: the newest certificate or the public key.");

/** Kinds that describe a single delivery, so that they can also be sent at once. */
const sendable = [
  paymentFault(
    "notification_signature",
    "The signature is forged or missing, or the encrypted part was tampered with.",
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
          "`changed_field`: the signature of other values. `other_type`: a type that the order does not use. The last six need version 3 (timestamps are 6 minutes off). In version 2 they change the signature, or req_info of a refund.",
        ),
    }),
  ),
  paymentFault(
    "notification_duplicate",
    "The notification arrives several times.",
    z.strictObject({
      about,
      copies: z.int().min(2).max(10).default(2).describe("Number of copies."),
      concurrent: z.boolean().default(false).describe("Sends all copies at the same time."),
      gap_ms: pauseMs.default(0).describe("Pause between copies, in milliseconds."),
    }),
  ),
  paymentFault(
    "notification_foreign",
    "The signature is valid, but one id belongs to another party.",
    z.strictObject({
      about,
      field: z.enum(["mch_id", "appid", "out_trade_no", "transaction_id"]).describe("Field with the wrong id."),
      value: z.string().min(1).max(32).optional().describe("Id to send instead. Default: an id that does not exist."),
    }),
  ),
  paymentFault(
    "notification_malformed",
    "The body is broken or has unexpected content.",
    z.strictObject({
      about,
      how: z
        .enum(["no_markup", "doctype", "huge", "duplicate_keys", "extra_fields", "sign_type"])
        .default("no_markup")
        .describe(
          "`no_markup`: neither XML nor JSON. `doctype`: with a document type and an entity (version 3: XML instead of JSON). `huge`: 10 MB. `extra_fields`: signed unknown fields, which the receiver must accept. `sign_type` (payments of version 2): adds or removes that field; the receiver must accept both.",
        ),
    }),
  ),
  paymentFault(
    "notification_return_code_fail",
    "The notification reports a communication failure, unsigned. It says nothing about an order.",
    z.strictObject({
      about,
      message: z.string().min(1).max(128).default("system busy").describe("Value of return_msg."),
    }),
  ),
  paymentFault(
    "notification_result_code_fail",
    "The notification is signed and reports result_code FAIL (version 3: trade_state PAYERROR), although the order is paid.",
    z.strictObject({ code: errCode.default("BANKERROR").describe("Value of err_code.") }),
  ),
] as const;

const wrongAmount = z.strictObject({
  about,
  where: z.enum(["notification", "query", "both"]).default("notification").describe("Messages with the wrong amount."),
  ...amount,
});

export const notificationFaults = [
  ...sendable,
  paymentFault(
    "wrong_amount",
    "The amount differs from the order's: in notifications, in query replies, or in both.",
    wrongAmount.refine(({ by, currency }) => by !== 0 || currency !== undefined, isOff),
  ),
  paymentFault(
    "key_switched",
    "Version 3: the platform switches keys. The signature is valid, but made with another key than the merchant's mode names.",
    z.strictObject({
      about,
      where: z
        .enum(["notification", "reply", "both"])
        .default("both")
        .describe("Messages signed by the other key. `about` selects among notifications."),
      to: signingKey,
    }),
  ),
  paymentFault(
    "forged_success",
    "Right after an order is placed, a validly signed notification says that it is paid. It is not.",
    z.strictObject({ after_ms: pauseMs.default(0).describe("Delay after the order was placed, in milliseconds.") }),
  ),
  paymentFault(
    "notification_order",
    "Notifications arrive in the wrong order.",
    z.strictObject({
      how: z
        .enum(["refund_first", "older_after_newer", "payment_after_close"])
        .describe(
          "`refund_first`: the payment's notification arrives after the refund's. `older_after_newer`: the payment's notification arrives again after the refund's. `payment_after_close`: a payment's notification arrives after the unpaid order was closed.",
        ),
    }),
  ),
  paymentFault("notification_lost", "The notification is never sent.", z.strictObject({ about })),
  paymentFault("notification_delayed", "The notification arrives late.", delayed),
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
      .describe("The notification that matches the order's state: payment succeeded, or the refund's status."),
    z
      .strictObject({ kind: z.literal("forged_success"), params: z.strictObject({}).prefault({}) })
      .describe("A validly signed notification that the order is paid, in any state of the order."),
    z
      .strictObject({
        kind: z.literal("wrong_amount"),
        params: z
          .strictObject(amount)
          .refine(({ by, currency }) => by !== 0 || currency !== undefined, isOff)
          .prefault({} as never),
      })
      .describe("The amount differs from the order's."),
    z
      .strictObject({
        kind: z.literal("key_switched"),
        params: z.strictObject({ about, to: signingKey }).prefault({}),
      })
      .describe("Version 3: signed with this key of the platform, in any mode of the merchant."),
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
      status: z.int().describe("HTTP status. 0: no reply."),
      reply: z.string(),
      accepted: z.boolean().describe("Whether the receiver accepted the notification."),
      expected: z.enum(["accept", "refuse", "either"]).describe("Expected behaviour of the receiver."),
      verdict: notificationVerdict.optional(),
      trusted_result_code: trustedResultCode,
    }),
  ),
});
