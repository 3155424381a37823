import type { KeyLike } from "node:crypto";
import { newNonce } from "../../../payment-wire/new-nonce.ts";
import { authorizationScheme, replyMessage, signV3 } from "../../../payment-wire/signature-v3.ts";

/** A key that signs replies and notifications: that of a certificate, or a bare one with an id. */
export interface PlatformKey {
  /** The value of `Wechatpay-Serial`. */
  readonly serial: string;
  readonly privateKey: KeyLike;
}

/** The platform's signature over a reply or notification, as headers. @param at Unix ms of a real clock */
export async function platformHeaders(key: PlatformKey, body: string, at: number): Promise<Record<string, string>> {
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
