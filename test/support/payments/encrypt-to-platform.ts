import { constants, publicEncrypt, X509Certificate } from "node:crypto";
import type { Credentials } from "./merchant-v3.ts";

/** Encrypts as the platform asks for personal data: RSA-OAEP with the platform's public key, in base64. */
export const encryptToPlatform = ({ platform_certificate }: Credentials, text: string): string =>
  publicEncrypt(
    { key: new X509Certificate(platform_certificate).publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING },
    Buffer.from(text),
  ).toString("base64");
