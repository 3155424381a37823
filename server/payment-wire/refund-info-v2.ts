/**
 * `req_info` of a version 2 refund notification: AES-256-ECB with PKCS#7, under the lower case hex MD5 of the API v2 key.
 * Nothing in it proves who wrote it: the receiver asks for the refund before it believes one (contract: payments,
 * Notifications of version 2).
 */
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

const keyOf = (apiV2Key: string) => createHash("md5").update(apiV2Key).digest("hex");

/** @param xml the `<root>` element of the refund */
export function sealRefundInfo(xml: string, apiV2Key: string): string {
  const cipher = createCipheriv("aes-256-ecb", keyOf(apiV2Key), null);
  return Buffer.concat([cipher.update(xml, "utf8"), cipher.final()]).toString("base64");
}

/** @throws if the key differs or the text is truncated */
export function openRefundInfo(reqInfo: string, apiV2Key: string): string {
  const decipher = createDecipheriv("aes-256-ecb", keyOf(apiV2Key), null);
  return Buffer.concat([decipher.update(reqInfo, "base64"), decipher.final()]).toString("utf8");
}
