/**
 * Writes a truststore in Java's own format (JKS), which every Java reads; a PKCS #12 file would need Oracle's
 * attributes.
 */
import { createHash } from "node:crypto";

const magic = 0xfeed_feed;
const version = 2;
const trustedCertificate = 2;

/** Protects only against changes; it is no secret. */
export const truststorePassword = "changeit";

const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const text = (value: string) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value.length);
  return Buffer.concat([bytes, Buffer.from(value)]);
};

const bytesOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----/g, ""), "base64");

/** @param certificates PEM, one each @param at when they were added, Unix ms */
export function javaTruststore(certificates: readonly string[], at: number): Buffer {
  const added = Buffer.alloc(8);
  added.writeBigUInt64BE(BigInt(at));
  const entries = certificates.flatMap((pem, index) => {
    const bytes = bytesOf(pem);
    return [number(trustedCertificate), text(String(index)), added, text("X.509"), number(bytes.length), bytes];
  });
  const content = Buffer.concat([number(magic), number(version), number(certificates.length), ...entries]);
  const password = Buffer.from(truststorePassword, "utf16le").swap16();
  const digest = createHash("sha1").update(password).update("Mighty Aphrodite").update(content).digest();
  return Buffer.concat([content, digest]);
}
