/** Adds the contents of uploads to a backup. */
import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { contentPath, type BackupManifest } from "./backup-format.ts";
import { ifMissing } from "../../file-system/is-missing.ts";
import { fileChunks, type TarWriter } from "./tar-file.ts";

/** Its bytes do not match its name. */
class DamagedContent extends Error {}

export function createContents(dataDir: string, tar: TarWriter, signal: AbortSignal) {
  const added = new Set<string>();
  let addedBytes = 0;

  async function* checked(file: FileHandle, bytes: number, sha256: string): AsyncGenerator<Buffer> {
    const hash = createHash("sha256");
    for await (const chunk of fileChunks(file, 0, bytes)) {
      signal.throwIfAborted();
      hash.update(chunk);
      yield chunk;
    }
    if (hash.digest("hex") !== sha256) throw new DamagedContent();
  }

  async function addFrom(file: FileHandle, sha256: string): Promise<boolean> {
    const { size } = await file.stat();
    try {
      await tar.add(contentPath(sha256), size, checked(file, size, sha256));
    } catch (error) {
      if (error instanceof DamagedContent) return false;
      throw error;
    }
    added.add(sha256);
    addedBytes += size;
    return true;
  }

  /** Contents that were set aside are included, because the next start would take them back. */
  async function addOne(sha256: string): Promise<boolean> {
    for (const path of [contentPath(sha256), `uploads/orphans/${sha256}`]) {
      await using file = await open(join(dataDir, path), "r").catch(ifMissing(undefined));
      if (file && (await addFrom(file, sha256))) return true;
    }
    return false;
  }

  return {
    /**
     * Adds the missing ones; `onProgress` gets their number so far. Returns the digests of missing and damaged contents.
     */
    async add(named: ReadonlySet<string>, onProgress: (done: number) => void): Promise<string[]> {
      const missing: string[] = [];
      let done = 0;
      for (const sha256 of named) {
        signal.throwIfAborted();
        if (!added.has(sha256) && !(await addOne(sha256))) missing.push(sha256);
        onProgress(++done);
      }
      return missing;
    },
    /** The contents in the backup. */
    added: (): BackupManifest["contents"] => ({ count: added.size, bytes: addedBytes }),
  };
}
