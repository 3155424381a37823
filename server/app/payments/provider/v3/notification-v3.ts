/** Reads notifications of version 3: JSON, signed by the platform over its exact bytes, with an encrypted resource. */
import { inEnglish } from "../../../../contract/messages/in-english.ts";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { unseal } from "../../../../payment-wire/sealed-v3.ts";
import type { PlatformKeys } from "./keys-v3.ts";
import { notificationText } from "../notification-text.ts";
import { NotificationRefused, type NotificationReader } from "../provider-client.ts";
import { readJsonOnce } from "../read-json-once.ts";
import { distrustOf } from "./verify-v3.ts";

const text = z.string().min(1);
const envelopeSchema = z.looseObject({
  event_type: text,
  resource: z.looseObject({
    algorithm: z.literal("AEAD_AES_256_GCM"),
    ciphertext: text,
    associated_data: z.string().optional(),
    nonce: text,
  }),
});
const paymentSchema = z.looseObject({
  appid: text,
  mchid: text,
  out_trade_no: text,
  transaction_id: text,
  trade_state: text,
  amount: z.looseObject({ total: z.int().min(0), currency: text.default("CNY") }),
});
const refundSchema = z.looseObject({
  mchid: text,
  out_trade_no: text,
  out_refund_no: text,
  refund_status: text,
  transaction_id: z.string().optional(),
  amount: z.looseObject({ refund: z.int().min(0), currency: text.default("CNY") }).optional(),
});

interface Options {
  readonly merchant: { readonly mchId: string; readonly appId: string };
  readonly access: { readonly apiV3Key: string };
  readonly keys: PlatformKeys;
  /** Unix ms by a real clock, for comparison with the platform's. */
  readonly now: () => number;
}

export function createNotificationReaderV3({ merchant, access, keys, now }: Options): NotificationReader {
  /** The decrypted resource, once the signature is verified and the event is one of these. */
  async function open(body: Buffer, headers: IncomingHttpHeaders, events: RegExp): Promise<string> {
    const raw = notificationText(body);
    const distrust = await distrustOf(headers, raw, keys, now());
    if (distrust) throw new NotificationRefused(distrust.reason, inEnglish(distrust.description));
    const { event_type: event, resource } = read(envelopeSchema, raw, "notification");
    if (!events.test(event))
      throw new NotificationRefused("wrong_kind", "The notification belongs to another address.");
    try {
      return unseal(resource, access.apiV3Key);
    } catch {
      throw new NotificationRefused(
        "undecryptable",
        "The resource is not encrypted with the API v3 key, or was changed.",
      );
    }
  }

  function mustBeOurs(claim: { mchid: string; appid?: string }): void {
    if (claim.mchid !== merchant.mchId || (claim.appid !== undefined && claim.appid !== merchant.appId))
      throw new NotificationRefused("foreign", "The notification is for another merchant or app.");
  }

  return {
    async readPaymentNotification(body, headers) {
      const payment = read(paymentSchema, await open(body, headers, /^TRANSACTION\.SUCCESS$/), "resource");
      mustBeOurs(payment);
      return {
        kind: "payment",
        version: "v3",
        outTradeNo: payment.out_trade_no,
        total: payment.amount.total,
        transactionId: payment.transaction_id,
        currency: payment.amount.currency,
        tradeState: payment.trade_state,
      };
    },

    async readRefundNotification(body, headers) {
      const refund = read(refundSchema, await open(body, headers, /^REFUND\.(?:SUCCESS|ABNORMAL|CLOSED)$/), "resource");
      mustBeOurs({ mchid: refund.mchid });
      return {
        kind: "refund",
        version: "v3",
        outTradeNo: refund.out_trade_no,
        outRefundNo: refund.out_refund_no,
        status: refund.refund_status,
        transactionId: refund.transaction_id,
        amount: refund.amount?.refund,
        currency: refund.amount?.currency ?? "CNY",
      };
    },
  };
}

function read<Schema extends z.ZodType>(schema: Schema, json: string, what: string): z.output<Schema> {
  try {
    return schema.parse(readJsonOnce(json));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new NotificationRefused("malformed", `The ${what} is not JSON as it must be: ${error.message}.`);
    if (error instanceof z.ZodError)
      throw new NotificationRefused("malformed", `The ${what} has no ${error.issues[0]?.path.join(".") ?? "object"}.`);
    throw error;
  }
}
