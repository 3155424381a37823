/** Looks whether contents still are what their addresses say: a disk may give back something else without a word. */
import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { BlobStore } from "../../store/blob-store.ts";

export interface Verifier {
  /** Reads it in the background, once; damaged content is set aside, so that the next upload of it replaces it. */
  look(sha256: string): void;
}

export function createVerifier({ blobs, log }: { blobs: BlobStore; log: Logger }): Verifier {
  const seen = new Set<string>();
  let looking = Promise.resolve();

  async function verify(sha256: string): Promise<void> {
    await using content = await blobs.open(sha256);
    if (!content) return;
    const hash = createHash("sha256");
    await pipeline(content.read(), hash);
    if (hash.digest("hex") === sha256) return;
    seen.delete(sha256);
    await blobs.setAside(sha256);
    log.error({ sha256 }, "the content of an upload is damaged: it was moved to uploads/orphans; upload it again");
  }

  return {
    look(sha256) {
      if (seen.has(sha256)) return;
      seen.add(sha256);
      // One after the other: it is not urgent.
      looking = looking.then(() => verify(sha256)).catch(() => void seen.delete(sha256));
    },
  };
}
