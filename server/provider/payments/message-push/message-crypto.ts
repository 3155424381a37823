/**
 * Signatures and encryption of message push. A message is encrypted as 16 random bytes, the length of its text in four
 * bytes, the text and the app id, by AES-256-CBC with padding to 32 bytes.
 */
import { createCipheriv, createHash } from "node:crypto";

const blockBytes = 32;

/** Lower-case hex SHA-1 of the sorted values. */
export const signPush = (...values: readonly string[]): string =>
  createHash("sha1")
    .update([...values].toSorted().join(""))
    .digest("hex");

/** @param random 16 bytes */
export function encryptPush(text: string, appId: string, encodingAesKey: string, random: Buffer): string {
  const key = Buffer.from(`${encodingAesKey}=`, "base64");
  const content = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const plain = Buffer.concat([random, length, content, Buffer.from(appId)]);
  const padding = blockBytes - (plain.length % blockBytes);
  const cipher = createCipheriv("aes-256-cbc", key, key.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(plain), cipher.update(Buffer.alloc(padding, padding)), cipher.final()]).toString(
    "base64",
  );
}
