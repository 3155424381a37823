/** Encrypts what only a merchant may read in a reply. */
import { constants, publicEncrypt, type KeyObject } from "node:crypto";
import type { Keys } from "../keys/keys.ts";

export const encryptField = (key: KeyObject, text: string): string =>
  publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING }, Buffer.from(text)).toString("base64");

/** Encrypts to the certificate with which a merchant signs its requests. */
export async function encryptToMerchant(
  keys: Pick<Keys, "merchantPublicKeys">,
  mchId: string,
  text: string,
): Promise<string> {
  const [key] = await keys.merchantPublicKeys(mchId);
  if (!key) throw new Error(`merchant ${mchId} has signed without a certificate`);
  return encryptField(key, text);
}
