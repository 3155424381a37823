/** Verifies contents against their addresses, because a disk may corrupt data silently. */
import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { Upload } from "../../contract/app/uploads.ts";
import type { BlobStore } from "../../store/blobs/blob-store.ts";
import type { HeldContents } from "./held-contents.ts";

type Condition = "whole" | "missing" | "damaged";

type CheckedUpload = Pick<Upload, "id" | "file_name" | "sha256">;

interface Deps {
  readonly blobs: BlobStore;
  readonly held: HeldContents;
  readonly log: Logger;
  /** Called when a background check finds damage. */
  readonly onDamaged: (upload: CheckedUpload) => void;
}

export function createVerifier({ blobs, held, log, onDamaged }: Deps) {
  const seen = new Set<string>();
  let checking = Promise.resolve();

  async function read(sha256: string, signal?: AbortSignal): Promise<Condition> {
    await using content = await blobs.open(sha256);
    if (!content) return "missing";
    const hash = createHash("sha256");
    await pipeline(content.read(), hash, { signal });
    return hash.digest("hex") === sha256 ? "whole" : "damaged";
  }

  /** Reads a content now. A damaged one is set aside, so that the next upload of it replaces it. */
  async function verify(sha256: string, signal?: AbortSignal): Promise<Condition> {
    const condition = await read(sha256, signal);
    if (condition !== "damaged") return condition;
    // Reads once more while nobody can replace it. A content that is held is about to be stored anew.
    const settled = held.runIfFree(sha256, async () => {
      const now = await read(sha256, signal);
      if (now !== "damaged") return now;
      await blobs.setAside(sha256);
      log.error({ sha256 }, "the content of an upload is damaged: it was set aside; upload it again");
      return now;
    });
    return (await settled) ?? "whole";
  }

  async function examine(upload: CheckedUpload): Promise<void> {
    const condition = await verify(upload.sha256);
    if (condition !== "whole") seen.delete(upload.sha256);
    if (condition === "damaged") onDamaged(upload);
  }

  return {
    /** Reads the content of an upload in the background, once; a remote store reads its own. */
    check(upload: CheckedUpload): void {
      if (blobs.isRemote || seen.has(upload.sha256)) return;
      seen.add(upload.sha256);
      // One after the other, because it is not urgent.
      checking = checking.then(() => examine(upload)).catch(() => void seen.delete(upload.sha256));
    },
    /** Makes the next check read it again. */
    forget: (sha256: string) => void seen.delete(sha256),
    verify,
  };
}
