/** Bills of version 3 take two steps: a call that returns address and digest, and the file at that address. */
import { createHash, randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Bills } from "../bills/bills.ts";

/** How long an address is valid, and how many are kept: the oldest are evicted (our choice). */
const lifetimeMs = 5 * 60_000;
const maxFiles = 50;

interface BillFile {
  readonly mchId: string;
  readonly bytes: Buffer;
  readonly expiresAt: number;
}

export type BillFiles = ReturnType<typeof createBillFiles>;

export function createBillFiles(bills: Bills, now: () => number) {
  const files = new Map<string, BillFile>();

  /** @returns the token by which the merchant fetches the file */
  function keep(mchId: string, bytes: Buffer, forMs = lifetimeMs): string {
    for (const [token, { expiresAt }] of files) if (expiresAt <= now() || files.size >= maxFiles) files.delete(token);
    const token = randomBytes(24).toString("base64url");
    files.set(token, { mchId, bytes, expiresAt: now() + forMs });
    return token;
  }

  /** An address at which the merchant fetches the file. */
  const addressOf = (mchId: string, bytes: Buffer, origin: string): string =>
    `${origin}/v3/billdownload/file?token=${keep(mchId, bytes)}`;

  return {
    ...bills,
    keep,
    addressOf,
    /** The reply with the bill's address. The digest is of the uncompressed bill. */
    offer: (mchId: string, text: string, compressed: boolean, origin: string): Record<string, string> => ({
      hash_type: "SHA1",
      hash_value: createHash("sha1").update(text).digest("hex"),
      download_url: addressOf(mchId, compressed ? gzipSync(text) : Buffer.from(text), origin),
    }),
    /** The file for a token, only for this merchant. */
    take(mchId: string, token: string): Buffer | undefined {
      const file = files.get(token);
      return file && file.mchId === mchId && file.expiresAt > now() ? file.bytes : undefined;
    },
  };
}
