/** Creates RSA keys and certificates like the provider's. This takes a moment, but not on the main thread. */
import { createPublicKey, generateKeyPair, randomBytes, randomInt, sign, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

const yearMs = 365 * 86_400_000;
const lifetimeMs = 5 * yearMs;
const sign256 = promisify(sign) as unknown as (hash: string, data: Buffer, key: string) => Promise<Buffer>;

/** PEM texts; times in Unix ms. */
export interface MadeKey {
  readonly serial: string;
  readonly privateKey: string;
  readonly publicPart: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** PEM texts. */
type KeyPair = Awaited<ReturnType<typeof makePair>>;

export const makePair = () =>
  promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });

/** 20 bytes that form a positive number of full length, so that every parser prints the same 40 digits. */
function newSerial(): string {
  const bytes = randomBytes(20);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString("hex").toUpperCase();
}

interface CertificateOptions {
  /** Its key, if there is one already. */
  readonly pair?: KeyPair | undefined;
  /** Whose key signs it; undefined: its own. */
  readonly issuer?: Pick<MadeKey, "privateKey" | "publicPart">;
  /** Whether it may sign others. */
  readonly isAuthority?: boolean;
}

/** A key with its certificate. @param name common name @param at Unix ms */
export async function makeCertificate(
  name: string,
  at: number,
  { pair, issuer, isAuthority = false }: CertificateOptions = {},
): Promise<MadeKey> {
  const { privateKey, publicKey } = pair ?? (await makePair());
  const { default: forge } = await import("node-forge"); // rarely needed, so not loaded at the start
  const { pki, asn1, md } = forge;
  const serial = newSerial();
  // One day in the past, because the clocks of both sides may differ.
  const [createdAt, expiresAt] = [at - 86_400_000, at + lifetimeMs].map((time) => Math.floor(time / 1000) * 1000);
  const certificate = pki.createCertificate();
  certificate.serialNumber = serial;
  certificate.publicKey = pki.publicKeyFromPem(publicKey);
  certificate.validity.notBefore = new Date(createdAt ?? at);
  certificate.validity.notAfter = new Date(expiresAt ?? at);
  const subject = [
    { name: "commonName", value: name },
    { name: "organizationName", value: "Hearth simulator" },
    { name: "countryName", value: "CN" },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer ? pki.certificateFromPem(issuer.publicPart).subject.attributes : subject);
  certificate.setExtensions([
    { name: "basicConstraints", cA: isAuthority },
    isAuthority
      ? { name: "keyUsage", keyCertSign: true, cRLSign: true }
      : {
          name: "keyUsage",
          digitalSignature: true,
          nonRepudiation: true,
          keyEncipherment: true,
          dataEncipherment: true,
        },
  ]);
  // The library's own RSA would block the main thread, so it only encodes the bytes; its signature is replaced.
  certificate.sign({ sign: () => "" } as unknown as Parameters<typeof certificate.sign>[0], md.sha256.create());
  const { tbsCertificate } = certificate as unknown as { tbsCertificate: Parameters<typeof asn1.toDer>[0] };
  const signed = Buffer.from(asn1.toDer(tbsCertificate).getBytes(), "binary");
  certificate.signature = (await sign256("sha256", signed, issuer?.privateKey ?? privateKey)).toString("binary");
  const publicPart = pki.certificateToPem(certificate).replaceAll("\r\n", "\n");
  return { serial, privateKey, publicPart, createdAt: createdAt ?? at, expiresAt: expiresAt ?? at };
}

/**
 * A certificate with its key as one file (PKCS #12), as merchants get them.
 * @param certificate PEM @param privateKey PEM
 */
export async function makePkcs12(certificate: string, privateKey: string, password: string): Promise<Buffer> {
  const { default: forge } = await import("node-forge");
  const { asn1, pkcs12, pki } = forge;
  const [key, certificates] = [pki.privateKeyFromPem(privateKey), [pki.certificateFromPem(certificate)]];
  // The only cipher of the library that every current runtime reads.
  const file = pkcs12.toPkcs12Asn1(key, certificates, password, { algorithm: "3des" });
  return Buffer.from(asn1.toDer(file).getBytes(), "binary");
}

/** A bare key with an id, as from platforms that no longer use certificates. */
export async function makePublicKey(at: number): Promise<MadeKey> {
  const { privateKey, publicKey } = await makePair();
  const digits = Array.from({ length: 32 }, () => String(randomInt(10))).join("");
  return {
    serial: `PUB_KEY_ID_01${digits}`,
    privateKey,
    publicPart: publicKey,
    createdAt: at,
    expiresAt: at + 100 * yearMs,
  };
}

/** @param pem certificate or public key */
export const readPublicKey = (pem: string): KeyObject => createPublicKey(pem);
