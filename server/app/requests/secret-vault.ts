import { randomBytes } from "node:crypto";

/**
 * Secrets of recorded requests, in memory only: what is stored holds references to them, and a replay in the same run can
 * put them back. A reference of an earlier run leads nowhere.
 */
export interface SecretVault {
  /** The reference to a value; the same one for the same value. */
  keep(name: string, value: string): string;
  /** The value behind a reference that is all of a text. */
  find(reference: string): string | undefined;
}

const referencePattern = /^\{\{[\w-]+:([\w.]+)\}\}$/;

/** `maxCharacters`: of all values together; the ones kept longest go first. */
export function createSecretVault(maxCharacters = 8 * 1024 * 1024): SecretVault {
  const run = randomBytes(3).toString("hex");
  const values = new Map<string, string>();
  const keys = new Map<string, string>();
  let count = 0;
  let characters = 0;

  function forgetOldest(): void {
    const [oldest] = values;
    if (!oldest) return;
    values.delete(oldest[0]);
    keys.delete(oldest[1]);
    characters -= oldest[1].length;
  }

  return {
    keep(name, value) {
      let key = keys.get(value);
      if (key === undefined) {
        key = `${run}.${(++count).toString(36)}`;
        keys.set(value, key);
        values.set(key, value);
        characters += value.length;
        while (characters > maxCharacters && values.size > 1) forgetOldest();
      }
      return `{{${name}:${key}}}`;
    },
    find: (reference) => values.get(referencePattern.exec(reference)?.[1] ?? ""),
  };
}
