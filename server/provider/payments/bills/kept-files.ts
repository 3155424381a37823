import { randomBytes } from "node:crypto";

/** How long an address is valid, and how many are kept: the oldest are evicted (our choice). */
const lifetimeMs = 5 * 60_000;
const maxFiles = 50;

interface KeptFile {
  readonly mchId: string;
  readonly bytes: Buffer;
  readonly expiresAt: number;
}

/** Files in memory that merchants fetch by tokens. */
export class KeptFiles {
  readonly #files = new Map<string, KeptFile>();
  readonly #now: () => number;

  /** @param now Unix time in ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns the token by which the merchant fetches the file */
  keep(mchId: string, bytes: Buffer, forMs = lifetimeMs): string {
    const at = this.#now();
    for (const [token, { expiresAt }] of this.#files)
      if (expiresAt <= at || this.#files.size >= maxFiles) this.#files.delete(token);
    const token = randomBytes(24).toString("base64url");
    this.#files.set(token, { mchId, bytes, expiresAt: at + forMs });
    return token;
  }

  /** The file for a token, only for this merchant. */
  take(mchId: string, token: string): Buffer | undefined {
    const file = this.#files.get(token);
    return file && file.mchId === mchId && file.expiresAt > this.#now() ? file.bytes : undefined;
  }
}
