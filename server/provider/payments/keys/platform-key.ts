import type { KeyObject } from "node:crypto";
import { newNonce } from "../../../payment-wire/new-nonce.ts";
import { authorizationScheme, replyMessage, signV3 } from "../../../payment-wire/signature-v3.ts";

/** How the platform authenticates: with a certificate that is renewed, or with a bare public key that has an id. */
export type PlatformMode = "certificate" | "public_key";

/** The key that signs replies and notifications. */
export interface PlatformKey {
  readonly mode: PlatformMode;
  /** The value of `Wechatpay-Serial`. */
  readonly serial: string;
  readonly privateKey: KeyObject;
}

/** The platform's signature over a reply or notification, as headers. @param at Unix ms of a real clock */
export async function platformHeaders(
  key: PlatformKey,
  body: string,
  at = Date.now(),
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const nonce = newNonce();
  return {
    "Wechatpay-Timestamp": timestamp,
    "Wechatpay-Nonce": nonce,
    "Wechatpay-Serial": key.serial,
    "Wechatpay-Signature-Type": authorizationScheme,
    "Wechatpay-Signature": await signV3(replyMessage(timestamp, nonce, body), key.privateKey),
  };
}
