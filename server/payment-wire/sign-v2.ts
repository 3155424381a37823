/**
 * Signatures of version 2: over the sorted fields and a key that both sides share (contract: payments, Signature of version
 * 2).
 */
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { SignType } from "../contract/provider/payment-terms.ts";

/** Fields of a version 2 message, as text between the XML tags. */
export type FieldsV2 = Readonly<Record<string, string>>;

/** The signed text: all non-empty fields except `sign`, sorted by name in ASCII order, and the key. */
function messageOf(fields: FieldsV2, key: string): string {
  let message = "";
  for (const name of Object.keys(fields).sort())
    if (name !== "sign" && fields[name] !== "") message += `${name}=${fields[name] ?? ""}&`;
  return `${message}key=${key}`;
}

/** The signature in upper-case hex: 32 digits of MD5, 64 of HMAC-SHA256. */
export function signV2(fields: FieldsV2, key: string, type: SignType = "MD5"): string {
  const message = messageOf(fields, key);
  const digest =
    type === "MD5" ? hash("md5", message) : createHmac("sha256", key).update(message, "utf8").digest("hex");
  return digest.toUpperCase();
}

/** True if `fields.sign` is the other fields' signature of this type. The comparison takes constant time. */
export function isSignedV2(fields: FieldsV2, key: string, type: SignType = "MD5"): boolean {
  const given = Buffer.from(fields["sign"] ?? "");
  const expected = Buffer.from(signV2(fields, key, type));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
