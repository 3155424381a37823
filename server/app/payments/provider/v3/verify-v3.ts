/**
 * Verifies the platform's signatures of version 3, on replies and notifications, by their four headers and exact bytes.
 */
import { message, type Text } from "../../../../contract/messages/message.ts";
import type { IncomingHttpHeaders } from "node:http";
import { isSignedV3, maxSkewSeconds, replyMessage } from "../../../../payment-wire/signature-v3.ts";
import { PlatformKeysUnavailable, type PlatformKeys } from "./keys-v3.ts";
import type { NotificationRefusal } from "../../../../contract/app/notification-reasons.ts";

export interface Distrust {
  readonly reason: NotificationRefusal;
  readonly description: Text;
}

const distrust = (reason: Distrust["reason"], description: Text): Distrust => ({ reason, description });

/** The signature headers; undefined when one is missing. */
function signatureOf(headers: IncomingHttpHeaders) {
  const read = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : "";
  };
  const [timestamp, nonce] = [read("wechatpay-timestamp"), read("wechatpay-nonce")];
  const [serial, signature] = [read("wechatpay-serial"), read("wechatpay-signature")];
  if (timestamp === "" || nonce === "" || serial === "" || signature === "") return undefined;
  return { timestamp, nonce, serial, signature };
}

/**
 * The reason to reject a message; undefined when the platform signed it.
 * @param now Unix ms by a real clock, for comparison with the platform's
 */
export async function distrustOf(
  headers: IncomingHttpHeaders,
  body: string,
  keys: PlatformKeys,
  now: number,
): Promise<Distrust | undefined> {
  const signed = signatureOf(headers);
  if (signed === undefined) return distrust("bad_signature", message("distrust.headers"));
  const { timestamp, nonce, serial, signature } = signed;
  if (signature.startsWith("WECHATPAY/SIGNTEST/")) return distrust("signature_probe", message("distrust.probe"));
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > maxSkewSeconds)
    return distrust("expired_timestamp", message("distrust.time", { seconds: maxSkewSeconds }));
  try {
    const key = await keys.find(serial);
    if (key === undefined) return distrust("unknown_serial", message("distrust.serial"));
    if (isSignedV3(replyMessage(timestamp, nonce, body), signature, key)) return undefined;
    return distrust("bad_signature", message("distrust.signature"));
  } catch (error) {
    if (error instanceof PlatformKeysUnavailable) return distrust("keys_unavailable", `${error.message}.`);
    throw error;
  }
}
