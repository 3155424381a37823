/** What notifications keep from all but their merchant, opened with nothing but node's own crypto. */
import { createDecipheriv, createHash } from "node:crypto";
import { fieldsOfXml, type Fields } from "../payment-signatures.ts";

/** The resource of version 3. */
export function unsealed(body: string, key: string): object {
  const { resource } = JSON.parse(body) as { resource: Record<string, string> };
  const sealed = Buffer.from(resource["ciphertext"] ?? "", "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, resource["nonce"] ?? "");
  decipher.setAAD(Buffer.from(resource["associated_data"] ?? "")).setAuthTag(sealed.subarray(-16));
  return JSON.parse(decipher.update(sealed.subarray(0, -16)).toString() + decipher.final().toString()) as object;
}

/** The fields of a refund in version 2. */
export function refundInfo(reqInfo: string | undefined, key: string): Fields {
  const decipher = createDecipheriv("aes-256-ecb", createHash("md5").update(key).digest("hex"), null);
  return fieldsOfXml(decipher.update(reqInfo ?? "", "base64", "utf8") + decipher.final("utf8"));
}
