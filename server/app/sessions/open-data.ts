/**
 * Checks and decrypts the platform's open data: signed raw data, and data encrypted under the session key (contract:
 * login, Open data).
 */
import { createDecipheriv, hash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { type HttpError, refuse } from "../../http/http-error.ts";

const watermarkSchema = z.looseObject({ watermark: z.looseObject({ appid: z.string(), timestamp: z.number() }) });
export const decryptedUserInfoSchema = z.looseObject({
  openId: z.string().optional(),
  unionId: z.string().nullish(),
  nickName: z.string().default(""),
  avatarUrl: z.string().default(""),
});
export const decryptedPhoneSchema = z.looseObject({
  purePhoneNumber: z.string().min(1),
  countryCode: z.union([z.string(), z.number()]).transform(String),
});

/** Older data is refused, to prevent replays. */
const maxAgeSeconds = 600;

/** 401 that sends the client back to its login: a changed key is the usual reason. */
const unknownKey = (code: "openData.signature" | "openData.key" = "openData.key") =>
  refuse(code, undefined, { headers: { "WWW-Authenticate": "Bearer" } });

/**
 * The key under which `signature` is sha1(rawData + key).
 * @throws HttpError 401 when it is none of the keys
 */
export function signingKey(rawData: string, signature: string, keys: readonly string[]): string {
  const sent = Buffer.from(signature, "utf8");
  const found = keys.find((key) => {
    const expected = Buffer.from(hash("sha1", rawData + key, "hex"), "utf8");
    return expected.length === sent.length && timingSafeEqual(expected, sent);
  });
  if (found === undefined) throw unknownKey("openData.signature");
  return found;
}

/**
 * Decrypts (AES-128-CBC, PKCS#7; key and iv base64) under the first key that works and checks the watermark.
 * @throws `refusal`, a login by default, when no key fits, HttpError 400 when the data is another app's or too old
 */
export function decryptOpenData(
  encryptedData: string,
  iv: string,
  keys: readonly string[],
  appId: string,
  now: number,
  refusal: () => HttpError = unknownKey,
): unknown {
  const plain = keys.map((key) => tryDecrypt(encryptedData, iv, key)).find((value) => value !== undefined);
  if (plain === undefined) throw refusal();
  const marked = watermarkSchema.safeParse(plain);
  if (!marked.success) throw refuse("openData.watermark");
  const { appid, timestamp } = marked.data.watermark;
  if (appid !== appId) throw refuse("openData.otherApp");
  if (Math.abs(now / 1000 - timestamp) > maxAgeSeconds) throw refuse("openData.old");
  return plain;
}

function tryDecrypt(encryptedData: string, iv: string, key: string): unknown {
  try {
    const decipher = createDecipheriv("aes-128-cbc", Buffer.from(key, "base64"), Buffer.from(iv, "base64"));
    const text = decipher.update(encryptedData, "base64", "utf8") + decipher.final("utf8");
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
