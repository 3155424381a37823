/**
 * Encrypted parts of version 3 (notifications, platform certificates): AES-256-GCM with the merchant's API v3 key
 * (contract: payments, Notifications of version 3).
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const tagBytes = 16;

/** `ciphertext` is base64 of the ciphertext and its 16-byte tag; `nonce` is 12 characters. */
export interface Sealed {
  readonly algorithm: "AEAD_AES_256_GCM";
  readonly ciphertext: string;
  readonly nonce: string;
  readonly associated_data: string;
}

/** @param key 32 characters */
export function seal(
  text: string,
  key: string,
  associatedData: string,
  nonce = randomBytes(6).toString("hex"),
): Sealed {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(associatedData));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return {
    algorithm: "AEAD_AES_256_GCM",
    ciphertext: sealed.toString("base64"),
    nonce,
    associated_data: associatedData,
  };
}

/** @throws if the key differs or anything was modified (the tag is checked) */
export function unseal(
  {
    ciphertext,
    nonce,
    associated_data = "",
  }: { ciphertext: string; nonce: string; associated_data?: string | undefined },
  key: string,
): string {
  const sealed = Buffer.from(ciphertext, "base64");
  const cut = Math.max(sealed.length - tagBytes, 0);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(associated_data))
    .setAuthTag(sealed.subarray(cut));
  return Buffer.concat([decipher.update(sealed.subarray(0, cut)), decipher.final()]).toString("utf8");
}
