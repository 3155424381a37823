/** The merchant of Alipay on this side, and the public parameters that all its requests share. */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { spacedTime } from "../../../../payment-wire/provider-time.ts";
import { alipaySignText } from "../../../../payment-wire/sign-alipay.ts";
import { signV3 } from "../../../../payment-wire/signature-v3.ts";

export interface MerchantAlipay {
  readonly appId: string;
  /** The merchant's number. */
  readonly sellerId: string;
  readonly privateKey: KeyObject;
  /** Verifies replies and notifications. */
  readonly alipayKey: KeyObject;
}

/** Keys are PEM, or one line of base64 as Alipay's key tool prints them. */
const isPem = (key: string) => key.includes("-----BEGIN");
const bytesOf = (key: string) => Buffer.from(key.trim(), "base64");

export const readAlipayPrivateKey = (key: string): KeyObject =>
  isPem(key) ? createPrivateKey(key) : createPrivateKey({ key: bytesOf(key), format: "der", type: "pkcs8" });

/** @param key or Alipay's certificate */
export const readAlipayPublicKey = (key: string): KeyObject =>
  isPem(key) ? createPublicKey(key) : createPublicKey({ key: bytesOf(key), format: "der", type: "spki" });

export interface AlipayRequest {
  readonly method: string;
  readonly content: object;
  readonly notifyUrl?: string | undefined;
}

/** The signed parameters of a request, as a form. @param at Unix ms by a real clock, which Alipay compares with its own */
export async function signedRequest(
  { appId, privateKey }: Pick<MerchantAlipay, "appId" | "privateKey">,
  { method, content, notifyUrl = "" }: AlipayRequest,
  at: number,
): Promise<string> {
  const params = {
    ...{ app_id: appId, method, format: "JSON", charset: "utf-8", sign_type: "RSA2" },
    ...{ timestamp: spacedTime(at), version: "1.0", biz_content: JSON.stringify(content) },
    ...(notifyUrl !== "" && { notify_url: notifyUrl }),
  };
  const sign = await signV3(alipaySignText(params, ["sign"]), privateKey);
  return String(new URLSearchParams({ ...params, sign }));
}
