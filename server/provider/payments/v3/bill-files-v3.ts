/** Bills of version 3 take two steps: a call that returns address and digest, and the file at that address. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Bills } from "../bills/bills.ts";
import { KeptFiles } from "../bills/kept-files.ts";

export type BillFiles = ReturnType<typeof createBillFiles>;

export function createBillFiles(bills: Bills, now: () => number) {
  const files = new KeptFiles(now);

  /** An address at which the merchant fetches the file. */
  const addressOf = (mchId: string, bytes: Buffer, origin: string): string =>
    `${origin}/v3/billdownload/file?token=${files.keep(mchId, bytes)}`;

  return {
    ...bills,
    /** @returns the token by which the merchant fetches the file */
    keep: (mchId: string, bytes: Buffer, forMs?: number) => files.keep(mchId, bytes, forMs),
    addressOf,
    /** The reply with the bill's address. The digest is of the uncompressed bill. */
    offer: (mchId: string, text: string, compressed: boolean, origin: string): Record<string, string> => ({
      hash_type: "SHA1",
      hash_value: createHash("sha1").update(text).digest("hex"),
      download_url: addressOf(mchId, compressed ? gzipSync(text) : Buffer.from(text), origin),
    }),
    /** The file for a token, only for this merchant. */
    take: (mchId: string, token: string) => files.take(mchId, token),
  };
}
