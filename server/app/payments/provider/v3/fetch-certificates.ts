/** Fetches the platform's certificates: encrypted for this merchant, and signed with one of themselves. */
import { inEnglish } from "../../../../contract/messages/in-english.ts";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { unseal } from "../../../../payment-wire/sealed-v3.ts";
import type { CallV3 } from "./call-v3.ts";
import { PlatformKeysUnavailable, readPlatformKey, serialName, type PlatformKeySet } from "./keys-v3.ts";
import { readJsonOnce } from "../read-json-once.ts";
import { distrustOf } from "./verify-v3.ts";

const certificatesSchema = z.looseObject({
  data: z.array(
    z.looseObject({
      serial_no: z.string(),
      encrypt_certificate: z.looseObject({
        algorithm: z.literal("AEAD_AES_256_GCM"),
        nonce: z.string(),
        associated_data: z.string().optional(),
        ciphertext: z.string(),
      }),
    }),
  ),
});

interface Options {
  readonly call: CallV3;
  readonly apiV3Key: string;
  /** The configured keys, by which the platform may sign too while it switches from certificates to a public key. */
  readonly configured: () => Promise<PlatformKeySet>;
  /** Unix ms by a real clock. */
  readonly now: () => number;
}

/** A waiting notification has to be answered within 5 s. */
const withinMs = 3_000;

/**
 * Decryption with the API v3 key proves their origin. The signature by one of them (there may be no other yet) or by a
 * configured key proves that they are not a replay of old ones.
 * @throws PlatformKeysUnavailable
 */
export async function fetchCertificates({ call, apiV3Key, configured, now }: Options): Promise<PlatformKeySet> {
  const answer = await call({ method: "GET", path: "/v3/certificates", withinMs });
  if ("failed" in answer) throw new PlatformKeysUnavailable(inEnglish(answer.description));
  if (answer.status !== 200)
    throw new PlatformKeysUnavailable(`/v3/certificates answered HTTP ${String(answer.status)}`);
  const text = answer.body.toString("utf8");
  const keys = open(text, apiV3Key);
  await mustBeSigned(answer.headers, text, new Map([...(await configured()), ...keys]), now());
  return keys;
}

function open(text: string, apiV3Key: string): PlatformKeySet {
  try {
    const { data } = certificatesSchema.parse(readJsonOnce(text));
    return new Map(
      data.map(({ serial_no, encrypt_certificate }) => [
        serialName(serial_no),
        readPlatformKey(unseal(encrypt_certificate, apiV3Key)),
      ]),
    );
  } catch (error) {
    throw new PlatformKeysUnavailable("/v3/certificates cannot be decrypted with the API v3 key", { cause: error });
  }
}

async function mustBeSigned(headers: IncomingHttpHeaders, text: string, keys: PlatformKeySet, now: number) {
  const distrust = await distrustOf(headers, text, { find: async (serial) => keys.get(serialName(serial)) }, now);
  if (distrust)
    throw new PlatformKeysUnavailable(`/v3/certificates is not trustworthy: ${inEnglish(distrust.description)}`);
}
