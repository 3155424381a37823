/** Compares the rows and contents of uploads, and changes nothing. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Kysely } from "kysely";
import type { BlobStore } from "../../store/blobs/blob-store.ts";
import { blobPath, listBlobs } from "../../store/blobs/disk-blob-store.ts";
import { unsettledIn } from "../../store/blobs/notes.ts";
import type { UploadsTables } from "./uploads-table.ts";
import { isMissing } from "../../file-system/is-missing.ts";

export interface UploadsInspection {
  /** Contents that uploads refer to. */
  readonly named: number;
  /** Addresses of the missing ones. */
  readonly lost: readonly string[];
  /** Paths of contents whose bytes do not match their address or the size in their upload. */
  readonly damaged: readonly string[];
  /** Contents without an upload, now or soon. The next start moves them to `orphans`. */
  readonly unnamed: number;
}

interface Content {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** The contents that uploads refer to, each once. */
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
    // It was deleted with its last upload meanwhile. An unreadable file counts as damaged.
    return isMissing(error);
  }
}

/**
 * @param folder the folder of the blob store, which may be missing
 * @param reads whether contents are read completely, not only measured
 * @param onProgress called after each content with the number checked so far
 */
export async function inspectUploads(
  named: readonly Content[],
  folder: string,
  { reads, onProgress }: { readonly reads: boolean; readonly onProgress: (done: number) => void },
): Promise<UploadsInspection> {
  const stored = new Set(await listBlobs(folder));
  const settling = new Set(await unsettledIn(folder));
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

/** `inspectUploads` for a bucket. Contents are not read: the store verifies them itself, and its traffic costs. */
export async function inspectBucket(
  named: readonly Content[],
  blobs: Pick<BlobStore, "list" | "unsettled">,
): Promise<UploadsInspection> {
  const stored = new Set(await blobs.list());
  const lost = named.map(({ sha256 }) => sha256).filter((sha256) => !stored.has(sha256));
  const known = new Set([...named.map(({ sha256 }) => sha256), ...(await blobs.unsettled())]);
  return { named: named.length, lost, damaged: [], unnamed: [...stored].filter((sha256) => !known.has(sha256)).length };
}
