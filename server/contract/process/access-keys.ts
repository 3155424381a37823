/** Keys: what programs and people on other machines prove themselves by. */
import { z } from "zod";
import { list } from "../bounded-lists.ts";

export const keyScopeSchema = z
  .enum(["model:use", "model:manage", "control", "metrics:read"])
  .describe(
    "`model:use`: use and list models. `model:manage`: pull, create, copy and delete models. `control`: everything that the console token may do. `metrics:read`: GET /metrics.",
  );
export type KeyScope = z.infer<typeof keyScopeSchema>;

/** How long a new key may last in the words of a person, who gives days: 100 years. */
export const mostDays = 36_500;
export const mostOfLimit = 1_000_000_000;
const limit = z.number().int().min(1).max(mostOfLimit).optional();

export const keyLimitsSchema = z.object({
  requests_per_minute: limit.describe("Maximum number of requests per minute."),
  concurrent_requests: limit.describe("Maximum number of concurrent requests."),
  tokens_per_day: limit.describe(
    "Maximum number of model tokens per day (UTC), prompts and answers together. A request that has begun is completed.",
  ),
});
export type KeyLimits = z.infer<typeof keyLimitsSchema>;

export const newKeySchema = z
  .object({
    name: z
      .string()
      .min(1)
      .max(64)
      .regex(/\S/)
      .trim()
      .describe("Name to tell keys apart.")
      .meta({ examples: ["ci"] }),
    scopes: list(keyScopeSchema).min(1).describe("Scopes of the key."),
    limits: keyLimitsSchema
      .default({})
      .describe("Limits of the key. Each service counts separately from its start. Absent: unlimited."),
    expires_at: z.iso
      .datetime()
      .optional()
      .describe("When the key expires. Absent: never.")
      .meta({ examples: ["2027-01-01T00:00:00Z"] }),
  })
  .meta({ title: "NewKey" });
export type NewKey = z.infer<typeof newKeySchema>;

export const keySchema = newKeySchema
  .extend({
    id: z.string().meta({ examples: ["k7q2m4"] }),
    created_at: z.iso.datetime(),
    made_by: z
      .string()
      .optional()
      .describe(
        "Id of the key that created this key. Deleting that key deletes this one. Absent: a person created it.",
      ),
  })
  .meta({ title: "Key" });
export type AccessKey = z.infer<typeof keySchema>;

/** A key with all that were made with it, directly or by one of these. */
export function withMade<Key extends AccessKey>(id: string, keys: readonly Key[]): readonly Key[] {
  const ids = new Set([id]);
  // Each was made after the key that it was made with, and so comes behind it.
  for (const { id: made, made_by: maker } of keys) if (maker !== undefined && ids.has(maker)) ids.add(made);
  return keys.filter((key) => ids.has(key.id));
}

/** A key as it is kept: by its SHA-256 (hexadecimal), never itself. */
export const storedKeySchema = keySchema.extend({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });
export type StoredKey = z.infer<typeof storedKeySchema>;

/** Every key begins with it. */
export const keyPrefix = "hearth_";

/** Whether a text wants to be a key; it may still be a wrong one. */
export const looksLikeKey = (text: string | undefined): text is string => text?.startsWith(keyPrefix) === true;

/** A whole key as `hearth keys add` makes it, as written or percent-encoded. */
const wholeKey = /hearth(?:_|%5f)(?:[\w-]|%5f|%2d){43}/gi;
const cutKey = /hearth(?:_|%5f)(?:[\w-]|%5f|%2d){0,43}$/i;

/** A text without the keys in it, wherever they stand: who reads it can use none. `isCut`: the text may end within a key. */
export function hideKeys(text: string, isCut = false): string {
  if (!/hearth/i.test(text)) return text;
  const hidden = text.replaceAll(wholeKey, `${keyPrefix}…`);
  return isCut ? hidden.replace(cutKey, `${keyPrefix}…`) : hidden;
}
