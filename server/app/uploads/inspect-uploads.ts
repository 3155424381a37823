/** Looks whether rows and contents of uploads belong together, and changes nothing. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Kysely } from "kysely";
import { blobPath, listBlobs, unsettledBlobs } from "../../store/blob-store.ts";
import type { UploadsTables } from "./uploads-table.ts";

export interface UploadsInspection {
  /** Contents that uploads name. */
  readonly named: number;
  /** Addresses of those that are not there. */
  readonly lost: readonly string[];
  /** Paths of those whose bytes are not what their address, or their upload, says. */
  readonly damaged: readonly string[];
  /** Contents that no upload names, and that nobody is about to name: the next start moves them to `orphans`. */
  readonly unnamed: number;
}

interface Content {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** What the uploads name, each content once. */
export const namedContents = (db: Kysely<UploadsTables>): Promise<Content[]> =>
  db.selectFrom("uploads").select(["sha256", "size"]).distinct().execute();

async function isSound(path: string, { sha256, size }: Content, reads: boolean): Promise<boolean> {
  try {
    if ((await stat(path)).size !== size) return false;
    if (!reads) return true;
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    return hash.digest("hex") === sha256;
  } catch (error) {
    // It has been deleted with its last upload meanwhile; what cannot be read is as good as damaged.
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/**
 * @param folder of the store of contents, there or not
 * @param reads whether contents are read through, not only measured
 * @param onProgress hears after each content how many have been looked at
 */
export async function inspectUploads(
  named: readonly Content[],
  folder: string,
  { reads, onProgress }: { readonly reads: boolean; readonly onProgress: (done: number) => void },
): Promise<UploadsInspection> {
  const stored = new Set(await listBlobs(folder));
  const settling = new Set(await unsettledBlobs(folder));
  const lost: string[] = [];
  const damaged: string[] = [];
  for (const [index, content] of named.entries()) {
    const path = blobPath(folder, content.sha256);
    if (!stored.has(content.sha256)) lost.push(content.sha256);
    else if (!(await isSound(path, content, reads))) damaged.push(path);
    stored.delete(content.sha256);
    onProgress(index + 1);
  }
  const unnamed = [...stored].filter((sha256) => !settling.has(sha256));
  return { named: named.length, lost, damaged, unnamed: unnamed.length };
}
