import { randomBytes } from "node:crypto";

const referencePattern = /^\{\{[\w-]+:(\w+\.\w+)(?:\.json)?\}\}$/;

/** A substring would keep the whole text in memory. */
const copyOf = (text: string) => Buffer.from(text, "utf16le").toString("utf16le");

/** The further memory for an entry, counted in characters. */
const overhead = 100;

export type SecretVault = ReturnType<typeof createSecretVault>;

/**
 * Keeps the secrets of recorded requests in memory only. Stored records hold references to them, with which a replay in
 * the same run restores them. References of an earlier run cannot be resolved.
 * @param maxCharacters the limit for all values and their overhead; the oldest ones are dropped first
 */
export function createSecretVault(maxCharacters = 8 * 1024 * 1024) {
  const run = randomBytes(3).toString("hex");
  const values = new Map<string, string>();
  const keys = new Map<string, string>();
  let count = 0;
  let forgotten = 0;
  let characters = 0;

  const keyOf = (number: number) => `${run}.${number.toString(36)}`;

  /** Finds the oldest by its number. The first entry of a map gets slower to reach with every deleted one before it. */
  function forgetOldest(): void {
    const key = keyOf(++forgotten);
    const value = values.get(key) ?? "";
    values.delete(key);
    keys.delete(value);
    characters -= value.length + overhead;
  }

  return {
    /** Returns the reference to a value; equal values share one. That to JSON other than a string ends with `.json`. */
    keep(name: string, value: string, isBareJson = false): string {
      let key = keys.get(value);
      if (key === undefined) {
        key = keyOf(++count);
        const copy = copyOf(value);
        keys.set(copy, key);
        values.set(key, copy);
        characters += value.length + overhead;
        while (characters > maxCharacters && values.size > 1) forgetOldest();
      }
      return `{{${name}:${key}${isBareJson ? ".json" : ""}}}`;
    },
    /** The value for a text that is exactly one reference. */
    find: (reference: string) => values.get(referencePattern.exec(reference)?.[1] ?? ""),
  };
}
