import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { renameFile } from "../../file-system/rename-file.ts";
import { syncFolder } from "../sync-folder.ts";
import { blobName, checkedAddress, isAddress, type BlobStore } from "./blob-store.ts";
import { forgetBucket, noteIntent, ownNamesIn, removeIntent, unsettledIn } from "./notes.ts";
import { createStreamDigest, freeBuffers } from "./stream-digest.ts";
import { ifMissing, isMissing } from "../../file-system/is-missing.ts";

const partBytes = 256 * 1024;

/** The handle's own streams would close it, and there may be several of them. */
async function* partsOf(file: FileHandle, { start, end }: { start: number; end: number }): AsyncGenerator<Buffer> {
  for (let at = start; at <= end;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(partBytes, end + 1 - at)), {
      position: at,
    });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Bytes written to the disk at once, because waking the writing thread costs as much as writing many bytes. */
const batchBytes = 1024 * 1024;

async function* inBatches(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let batch: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    batch.push(chunk);
    bytes += chunk.length;
    if (bytes < batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (bytes > 0) yield batch;
}

/** A nearly full disk writes only a part, without an error; only the rest fails. */
async function writeWhole(file: FileHandle, batch: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(batch);
  const bytes = batch.reduce((sum, { length }) => sum + length, 0);
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten));
  freeBuffers(batch);
}

/** Writes a new file; `see` gets each chunk while the previous ones are being written. */
async function writeNew(path: string, chunks: AsyncIterable<Buffer>, see: (chunk: Buffer) => void): Promise<void> {
  await using file = await open(path, "wx");
  let writing = Promise.resolve();
  for await (const batch of inBatches(chunks)) {
    for (const chunk of batch) see(chunk);
    await writing;
    writing = writeWhole(file, batch);
    writing.catch(() => undefined); // the error is reported to the awaiting caller
  }
  await writing;
  await file.datasync();
}

export const blobPath = (folder: string, sha256: string) => join(folder, blobName(sha256));

/**
 * Lists the contents of the store in this folder, without opening it. Links are ignored, because they lead to other
 * files.
 */
export async function listBlobs(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]));
  const shards = found.filter((one) => one.isDirectory() && /^[0-9a-f]{2}$/.test(one.name)).map(({ name }) => name);
  const ofShard = async (shard: string) => {
    const entries = await readdir(join(folder, shard), { withFileTypes: true });
    const own = entries.filter((one) => one.isFile() && isAddress(one.name) && one.name.startsWith(shard));
    return own.map(({ name }) => name);
  };
  return (await Promise.all(shards.map(ofShard))).flat();
}

/** The age at which an incomplete file of any instance counts as abandoned. */
const writtenWithinMs = 60 * 60_000;

async function unchanged(files: readonly string[]): Promise<string[]> {
  const times = await Promise.all(files.map(async (file) => (await stat(file).catch(() => undefined))?.mtimeMs));
  return files.filter((_, at) => (times[at] ?? Infinity) < Date.now() - writtenWithinMs);
}

/** False when there is nothing to move. */
async function move(from: string, to: string): Promise<boolean> {
  try {
    await mkdir(dirname(to), { recursive: true });
    await renameFile(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Stores blobs as files `<folder>/<first two hex digits>/<sha256>`. A new blob is written in `<folder>/incoming` and
 * renamed atomically. A file of the blob's name in `<folder>/intents` means that it is not settled; `<folder>/orphans`
 * holds blobs that were set aside.
 * @param isShared whether other instances may be storing into the same folder
 */
export async function openDiskBlobStore(folder: string, { isShared = false } = {}): Promise<BlobStore> {
  const incoming = join(folder, "incoming");
  const orphans = join(folder, "orphans");
  const makeFolder = () => mkdir(incoming, { recursive: true });
  await makeFolder();
  await forgetBucket(folder);
  const remains = await ownNamesIn(incoming);
  const pathOf = (sha256: string) => blobPath(folder, sha256);
  const orphanOf = (sha256: string) => join(orphans, checkedAddress(sha256));

  async function place(temporary: string, sha256: string): Promise<void> {
    const path = pathOf(sha256);
    await noteIntent(folder, sha256);
    const isNew = (await mkdir(dirname(path), { recursive: true })) !== undefined;
    await renameFile(temporary, path);
    await syncFolder(dirname(path));
    if (isNew) await syncFolder(folder);
  }

  return {
    place: folder,
    isRemote: false,

    async put(content, inspect) {
      const temporary = join(incoming, randomUUID());
      const digest = createStreamDigest();
      try {
        await pipeline(content, async (chunks: AsyncIterable<Buffer>) => {
          await makeFolder(); // the whole folder may have been removed
          await writeNew(temporary, chunks, digest.see);
        });
        const blob = digest.end();
        await inspect?.(digest.head(), blob);
        await place(temporary, blob.sha256);
        return blob;
      } finally {
        await rm(temporary, { force: true });
      }
    },
    settle: (sha256) => removeIntent(folder, sha256),

    async open(sha256) {
      const file = await open(pathOf(sha256), "r").catch(ifMissing(undefined));
      if (!file) return undefined;
      const close = () => file.close();
      const { size } = await file.stat().catch(async (error: unknown) => {
        await close();
        throw error;
      });
      return {
        size,
        read: (range = { start: 0, end: size - 1 }) => Readable.from(partsOf(file, range), { objectMode: false }),
        [Symbol.asyncDispose]: close,
      };
    },

    async remove(sha256) {
      await rm(pathOf(sha256), { force: true });
      await removeIntent(folder, sha256);
    },

    setAside: (sha256) => move(pathOf(sha256), orphanOf(sha256)),
    takeBack: (sha256) => move(orphanOf(sha256), pathOf(sha256)),

    async orphans() {
      const names = (await ownNamesIn(orphans)).filter(isAddress);
      const sizes = names.map(async (name) => (await stat(join(orphans, name)).catch(() => undefined))?.size ?? 0);
      return { count: names.length, bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) };
    },

    async removeSetAside(isNamed) {
      let removed = 0;
      for (const sha256 of await ownNamesIn(orphans)) {
        if (!isAddress(sha256) || (await isNamed(sha256))) continue;
        await rm(join(orphans, sha256), { force: true });
        removed++;
      }
      return removed;
    },

    list: () => listBlobs(folder),

    unsettled: () => unsettledIn(folder),

    async removeRemains() {
      const files = remains.map((name) => join(incoming, name));
      const ended = isShared ? await unchanged(files) : files;
      await Promise.all(ended.map((file) => rm(file, { force: true })));
    },
  };
}
