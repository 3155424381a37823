/** Rows of keys that are not stored yet. */
import { X509Certificate } from "node:crypto";
import type { SimKey } from "./keys-table.ts";
import type { MadeKey } from "./make-certificate.ts";

export const keyRow = (kind: SimKey["kind"], mchId: string, made: MadeKey) => ({
  kind,
  mch_id: mchId,
  serial: made.serial,
  private_key: made.privateKey,
  public_part: made.publicPart,
  created_at: made.createdAt,
  expires_at: made.expiresAt,
});

/** The row of a certificate whose private key only its owner has. @throws for text that is no RSA certificate */
export function readCertificate(mchId: string, pem: string) {
  const read = new X509Certificate(pem);
  if (read.publicKey.asymmetricKeyType !== "rsa") throw new TypeError("an RSA certificate is required");
  const made: MadeKey = {
    serial: read.serialNumber.toUpperCase(),
    privateKey: "",
    publicPart: read.toString(),
    createdAt: read.validFromDate.getTime(),
    expiresAt: read.validToDate.getTime(),
  };
  return keyRow("merchant", mchId, made);
}
export type MerchantCertificate = ReturnType<typeof readCertificate>;
