/**
 * Checks and decrypts what the platform hands to the client: signed raw data, and data encrypted under the session key
 * (contract: login, Open data).
 */
import { createDecipheriv, createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { HttpError } from "../../http/http-error.ts";

const watermarkSchema = z.looseObject({ watermark: z.looseObject({ appid: z.string(), timestamp: z.number() }) });
export const decryptedUserInfoSchema = z.looseObject({
  openId: z.string().optional(),
  unionId: z.string().optional(),
  nickName: z.string().default(""),
  avatarUrl: z.string().default(""),
});
export const decryptedPhoneSchema = z.looseObject({
  purePhoneNumber: z.string(),
  countryCode: z.union([z.string(), z.number()]).transform(String),
});

/** Older data is refused, so that a recorded one cannot be played back later. */
const maxAgeSeconds = 600;

/** 400 that sends the client back to its login: a key that has changed since is the usual reason. */
const invalid = (problem: string, cause?: unknown) =>
  new HttpError(400, "open_data_invalid", `${problem}: log in again and repeat the call.`, { cause });

/** @throws HttpError 400 unless `signature` is sha1(rawData + key) under one of the keys. */
export function checkSignature(rawData: string, signature: string, keys: readonly string[]): void {
  const given = Buffer.from(signature, "utf8");
  const fits = keys.some((key) => {
    const expected = Buffer.from(
      createHash("sha1")
        .update(rawData + key)
        .digest("hex"),
      "utf8",
    );
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!fits) throw invalid("The signature does not fit the raw data");
}

/**
 * Decrypts (AES-128-CBC, PKCS#7; key and iv base64) under the first key that works and checks the watermark.
 * @throws HttpError 400 when no key fits, or the data is another app's or too old
 */
export function decryptOpenData(
  encryptedData: string,
  iv: string,
  keys: readonly string[],
  appId: string,
  now: number,
): unknown {
  const plain = keys.map((key) => tryDecrypt(encryptedData, iv, key)).find((value) => value !== undefined);
  const marked = watermarkSchema.safeParse(plain);
  if (!marked.success) throw invalid("The encrypted data cannot be decrypted");
  const { appid, timestamp } = marked.data.watermark;
  if (appid !== appId) throw invalid("The encrypted data belongs to another app");
  if (Math.abs(now / 1000 - timestamp) > maxAgeSeconds) throw invalid("The encrypted data is too old");
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
