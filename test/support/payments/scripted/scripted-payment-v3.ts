/** Keys and signed replies of a scripted provider of version 3. */
import { createVerify, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../../../server/contract/process/settings.ts";
import { makeCertificate, type MadeKey } from "../../../../server/provider/payments/keys/make-certificate.ts";
import { headersV3 } from "../payment-signatures.ts";
import { paymentMerchant, type ReceivedCall, type Script, type ScriptedReply } from "./scripted-payment-provider.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

export const makeKey = (name: string) => makeCertificate(name, Date.now());

/** The keys of a merchant and of a platform, as files and settings of the merchant's own. */
export async function merchantOfV3() {
  const [merchant, platform] = await Promise.all([makeKey("merchant"), makeKey("platform")]);
  const folder = temporaryFolder();
  const file = (name: string, text: string) => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  const settings: Partial<Settings> = {
    payment_version: "v3",
    payment_mch_id: paymentMerchant.mch_id,
    payment_app_id: paymentMerchant.app_id,
    payment_api_v3_key: paymentMerchant.api_v3_key,
    payment_merchant_key_file: file("merchant.pem", merchant.privateKey),
    payment_merchant_serial: merchant.serial,
    payment_platform_key_file: file("platform.pem", platform.publicPart),
  };
  return { merchant, platform, settings, file, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
export type MerchantV3 = Awaited<ReturnType<typeof merchantOfV3>>;

interface SignedReply {
  readonly status?: number;
  readonly body?: unknown;
  /** Unix ms. */
  readonly at?: number;
}

/** A reply that the platform has signed. */
export function signedReplyV3(platform: MadeKey, { status = 200, body, at }: SignedReply): ScriptedReply {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers: { "Content-Type": "application/json", ...headersV3(text, platform, at) }, body: text };
}

export const signedV3 =
  (platform: MadeKey, reply: SignedReply): Script =>
  () =>
    signedReplyV3(platform, reply);

/** Whether a call is signed by this merchant, over what arrived. */
export function isSignedBy(merchant: MadeKey, { method, path, headers, body }: ReceivedCall): boolean {
  const read = (name: string) => new RegExp(`[ ,]${name}="([^"]+)"`).exec(headers.authorization ?? "")?.[1] ?? "";
  const message = `${method}\n${path}\n${read("timestamp")}\n${read("nonce_str")}\n${body}\n`;
  return (
    (headers.authorization ?? "").startsWith("WECHATPAY2-SHA256-RSA2048 ") &&
    read("mchid") === paymentMerchant.mch_id &&
    read("serial_no") === merchant.serial &&
    createVerify("RSA-SHA256")
      .update(message)
      .verify(new X509Certificate(merchant.publicPart).publicKey, read("signature"), "base64")
  );
}
