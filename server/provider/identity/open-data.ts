/** The platform's side of open data: what it encrypts for the server and signs for the client. */
import { createCipheriv, createHash, createHmac, randomBytes } from "node:crypto";

/** A fresh session key: base64 of 16 random bytes. */
export const newSessionKey = () => randomBytes(16).toString("base64");

/** AES-128-CBC with PKCS#7 padding under the session key; the result's parts are base64. */
export function encryptOpenData(
  plain: unknown,
  sessionKey: string,
  iv = randomBytes(16),
): { encryptedData: string; iv: string } {
  const cipher = createCipheriv("aes-128-cbc", Buffer.from(sessionKey, "base64"), iv);
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(plain), "utf8"), cipher.final()]);
  return { encryptedData: encrypted.toString("base64"), iv: iv.toString("base64") };
}

/** Lower-case hex sha1 of the raw data and the key's base64 text, which is not decoded. */
export const signRawData = (rawData: string, sessionKey: string) =>
  createHash("sha1")
    .update(rawData + sessionKey)
    .digest("hex");

/** What checksession wants to see: HMAC-SHA256 of nothing under the key's base64 text, lower-case hex. */
export const signSession = (sessionKey: string) => createHmac("sha256", sessionKey).update("").digest("hex");

/** The mark that tells whose data it is and when it was given out. */
export const watermark = (appId: string, now: number) => ({
  watermark: { timestamp: Math.floor(now / 1000), appid: appId },
});
