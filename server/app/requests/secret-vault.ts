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

/** What a value takes in memory beside its characters, in characters. */
const overhead = 100;

/** `maxCharacters`: of all values together, with what keeping them takes; the ones kept longest go first. */
export function createSecretVault(maxCharacters = 8 * 1024 * 1024): SecretVault {
  const run = randomBytes(3).toString("hex");
  const values = new Map<string, string>();
  const keys = new Map<string, string>();
  let count = 0;
  let forgotten = 0;
  let characters = 0;

  const keyOf = (number: number) => `${run}.${number.toString(36)}`;

  /** By its number: to walk the map to its first entry, past the places of all that went, costs more with each that went. */
  function forgetOldest(): void {
    const key = keyOf(++forgotten);
    const value = values.get(key) ?? "";
    values.delete(key);
    keys.delete(value);
    characters -= value.length + overhead;
  }

  return {
    keep(name, value) {
      let key = keys.get(value);
      if (key === undefined) {
        key = keyOf(++count);
        const copy = structuredClone(value); // a piece of a text keeps all of the text in memory
        keys.set(copy, key);
        values.set(key, copy);
        characters += value.length + overhead;
        while (characters > maxCharacters && values.size > 1) forgetOldest();
      }
      return `{{${name}:${key}}}`;
    },
    find: (reference) => values.get(referencePattern.exec(reference)?.[1] ?? ""),
  };
}
