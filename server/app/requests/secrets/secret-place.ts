import type { IsSecretName } from "./secret-names.ts";

/** Where the value of a secret field is written, with its quotes and escapes. It may be empty. */
interface SecretPlace {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Finds the secrets of a text in their order. A truncated text is read as far as it goes. */
export type FindSecrets = (text: string, isSecret: IsSecretName) => Iterable<SecretPlace>;

/** The match of a sticky pattern at a place; empty without one. */
export function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
