/** The platform's side of open data: encrypts it for the server and signs it for the client. */
import { createCipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import type { SimSettings } from "../../contract/provider/provider.ts";
import type { SimUser } from "./identity-tables.ts";

/** A fresh session key: base64 of 16 random bytes. */
export const newSessionKey = () => randomBytes(16).toString("base64");

/** Names a session key to somebody who may not know it. */
export const idOfSessionKey = (sessionKey: string) => createHash("sha256").update(sessionKey).digest("hex").slice(0, 8);

/** AES-128-CBC with PKCS#7 padding under the session key; the parts of the result are base64. */
export function encryptOpenData(
  plain: unknown,
  sessionKey: string,
  iv = randomBytes(16),
): { encryptedData: string; iv: string } {
  const cipher = createCipheriv("aes-128-cbc", Buffer.from(sessionKey, "base64"), iv);
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(plain), "utf8"), cipher.final()]);
  return { encryptedData: encrypted.toString("base64"), iv: iv.toString("base64") };
}

/** Lower-case hex SHA-1 of the raw data and the key's base64 text, which is not decoded. */
export const signRawData = (rawData: string, sessionKey: string) =>
  createHash("sha1")
    .update(rawData + sessionKey)
    .digest("hex");

/** The signature for checksession: HMAC-SHA256 of the empty text with the key's base64 text, in lower-case hex. */
export const signSession = (sessionKey: string) => createHmac("sha256", sessionKey).update("").digest("hex");

/** The watermark names the app and the time of issue. */
export const watermark = (appId: string, now: number) => ({
  watermark: { timestamp: Math.floor(now / 1000), appid: appId },
});

/** The profile that pages may read, with the platform's names and order. */
export const publicInfo = (user: SimUser) => ({
  nickName: user.nick_name,
  gender: 0,
  language: "zh_CN",
  city: "",
  province: "",
  country: "",
  avatarUrl: user.avatar_url,
});

/** A phone number in the platform's form: with the country code only for numbers outside the mainland. */
export const phoneInfo = (user: SimUser, { country_code_number }: Pick<SimSettings, "country_code_number">) => ({
  phoneNumber: user.country_code === "86" ? user.phone_number : `+${user.country_code}${user.phone_number}`,
  purePhoneNumber: user.phone_number,
  countryCode: country_code_number ? Number(user.country_code) : user.country_code,
});
