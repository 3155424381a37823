import { randomBytes } from "node:crypto";

/**
 * Keeps the secrets of recorded requests in memory only. Stored records hold references to them, with which a replay in
 * the same run restores them. References of an earlier run cannot be resolved.
 */
export interface SecretVault {
  /**
   * Returns the reference to a value; equal values share one. The reference to JSON that is no string says so, because
   * it stands in quotes all the same, which keep the record valid.
   */
  keep(name: string, value: string, isBareJson?: boolean): string;
  /** The value for a text that is exactly one reference. */
  find(reference: string): string | undefined;
}

const referencePattern = /^\{\{[\w-]+:(\w+\.\w+)(?:\.json)?\}\}$/;

/** The memory for an entry beside its characters, counted in characters. */
const overhead = 100;

/** `maxCharacters`: the limit for all values and their overhead. The oldest ones are dropped first. */
export function createSecretVault(maxCharacters = 8 * 1024 * 1024): SecretVault {
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
    keep(name, value, isBareJson = false) {
      let key = keys.get(value);
      if (key === undefined) {
        key = keyOf(++count);
        const copy = structuredClone(value); // a substring would keep the whole text in memory
        keys.set(copy, key);
        values.set(key, copy);
        characters += value.length + overhead;
        while (characters > maxCharacters && values.size > 1) forgetOldest();
      }
      return `{{${name}:${key}${isBareJson ? ".json" : ""}}}`;
    },
    find: (reference) => values.get(referencePattern.exec(reference)?.[1] ?? ""),
  };
}
