/**
 * Signs and seals as the payment provider does, written down anew with node's crypto: what the product signs or verifies is
 * held against this, not against itself.
 */
import { createCipheriv, createHash, createHmac, createSign, randomBytes } from "node:crypto";
import type { SignType } from "../../../server/contract/provider/payment-terms.ts";

export type Fields = Record<string, string>;

export function signatureV2(fields: Fields, key: string, type: SignType = "MD5"): string {
  const pairs = Object.entries(fields)
    .filter(([name, value]) => name !== "sign" && value !== "")
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const message = [...pairs, ["key", key]].map((pair) => pair.join("=")).join("&");
  const hash = type === "MD5" ? createHash("md5") : createHmac("sha256", key);
  return hash.update(message).digest("hex").toUpperCase();
}

export const xmlOf = (fields: Fields): string =>
  `<xml>${Object.entries(fields)
    .map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`)
    .join("\n")}</xml>`;

/** A whole message of version 2. */
export const signedXml = (fields: Fields, key: string, type: SignType = "MD5"): string =>
  xmlOf({ ...fields, sign: signatureV2(fields, key, type) });

/** The fields of XML as `xmlOf` and the product write it. */
export const fieldsOfXml = (xml: string): Fields =>
  Object.fromEntries(
    [...xml.matchAll(/<(\w+)><!\[CDATA\[(.*?)\]\]><\/\1>/gs)].map(([, name = "", value = ""]) => [name, value]),
  );

interface PlatformSigner {
  readonly serial: string;
  /** PEM. */
  readonly privateKey: string;
}

/** The headers by which the platform signs a reply or notification. @param at Unix ms */
export function headersV3(body: string, { serial, privateKey }: PlatformSigner, at = Date.now()): Fields {
  const timestamp = String(Math.floor(at / 1000));
  const nonce = randomBytes(16).toString("hex");
  const signature = createSign("RSA-SHA256").update(`${timestamp}\n${nonce}\n${body}\n`).sign(privateKey, "base64");
  return {
    "wechatpay-timestamp": timestamp,
    "wechatpay-nonce": nonce,
    "wechatpay-serial": serial,
    "wechatpay-signature": signature,
  };
}

/** An encrypted part of version 3. */
export function sealedV3(text: string, key: string, associatedData: string) {
  const nonce = randomBytes(6).toString("hex");
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(associatedData));
  const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return {
    algorithm: "AEAD_AES_256_GCM",
    ciphertext: sealed.toString("base64"),
    nonce,
    associated_data: associatedData,
  };
}
