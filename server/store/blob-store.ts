import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat, writeFile, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { renameFile } from "../file-system/rename-file.ts";
import { syncFolder } from "./sync-folder.ts";

export interface StoredBlob {
  /** Lower-case hex; also the blob's address. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** An opened content. It can be read to its end, even if it is removed meanwhile. */
export interface OpenBlob extends AsyncDisposable {
  /** Bytes. */
  readonly size: number;
  /** A stream of the content, optionally of the bytes from `start` to `end`, inclusive. */
  read(range?: { start: number; end: number }): Readable;
}

/** Content addressed by its hash: equal bytes are stored once. */
export interface BlobStore {
  /**
   * Stores a stream and frees its chunks, which must not be read again. `inspect` gets the first bytes (at most 8 KiB)
   * and the address before the content becomes visible; its error is rethrown and nothing is stored. When the promise
   * resolves, the content is on the disk, and has replaced a possibly damaged one of the same address. Until `settle`
   * it counts as unreferenced.
   */
  put(content: Readable, inspect?: (head: Buffer, blob: StoredBlob) => Promise<void> | void): Promise<StoredBlob>;
  /** Marks the content as referenced: it must survive a crash. */
  settle(sha256: string): Promise<void>;
  /** Undefined for missing content. */
  open(sha256: string): Promise<OpenBlob | undefined>;
  /** Does nothing for missing content. */
  remove(sha256: string): Promise<void>;
  /** Moves unexplained or damaged content aside instead of deleting it. False if it is missing. */
  setAside(sha256: string): Promise<boolean>;
  /** Moves content back that was set aside; false if there was none. */
  takeBack(sha256: string): Promise<boolean>;
  /** Deletes unreferenced contents that were set aside; returns their number. */
  removeSetAside(isNamed: (sha256: string) => Promise<boolean>): Promise<number>;
  /** The contents that were set aside. */
  orphans(): Promise<{ count: number; bytes: number }>;
  /** The addresses of all stored contents, without those that were set aside. */
  list(): Promise<string[]>;
  /** The addresses of contents without `settle`, because of a crash. */
  unsettled(): Promise<string[]>;
}

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

const headBytes = 8192;
const isAddress = /^[0-9a-f]{64}$/;

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
  giveBack(batch);
}

/**
 * Frees the memory of chunks with a buffer of their own. It lies outside of the heap, and each 64 MB that wait for
 * garbage collection cause a pass over the whole heap.
 */
function giveBack(chunks: readonly Buffer[]): void {
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
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

const isAbsence = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";

/** The listing of a missing folder. */
function noneOf(error: unknown): string[] {
  if (isAbsence(error)) return [];
  throw error;
}

const shardIn = (folder: string, sha256: string) => join(folder, sha256.slice(0, 2));
export const blobPath = (folder: string, sha256: string) => join(shardIn(folder, sha256), sha256);

/** `list` for the store in this folder, without opening it. */
export async function listBlobs(folder: string): Promise<string[]> {
  const shards = (await readdir(folder).catch(noneOf)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const ofShard = async (shard: string) => {
    const entries = await readdir(join(folder, shard), { withFileTypes: true });
    const own = entries.filter((one) => one.isFile() && isAddress.test(one.name) && one.name.startsWith(shard));
    return own.map(({ name }) => name);
  };
  return (await Promise.all(shards.map(ofShard))).flat();
}

/** `unsettled` for the store in this folder, without opening it. */
export const unsettledBlobs = async (folder: string): Promise<string[]> =>
  (await readdir(join(folder, "intents")).catch(noneOf)).filter((name) => isAddress.test(name));

/** False when there is nothing to move. */
async function move(from: string, to: string): Promise<boolean> {
  try {
    await mkdir(dirname(to), { recursive: true });
    await renameFile(from, to);
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

/**
 * Stores blobs as files `<folder>/<first two hex digits>/<sha256>`. A new blob is written in `<folder>/incoming` and
 * renamed atomically; opening the store removes the remains of crashes there. A file of the blob's name in
 * `<folder>/intents` means that it is not settled; `<folder>/orphans` holds blobs that were set aside.
 */
export async function openDiskBlobStore(folder: string): Promise<BlobStore> {
  const incoming = join(folder, "incoming");
  const intents = join(folder, "intents");
  const orphans = join(folder, "orphans");
  const makeFolders = () => Promise.all([incoming, intents].map((path) => mkdir(path, { recursive: true })));
  await makeFolders();
  await Promise.all((await readdir(incoming)).map((name) => rm(join(incoming, name), { force: true })));
  const nameOf = (sha256: string) => {
    if (!isAddress.test(sha256)) throw new Error("not a sha256");
    return sha256;
  };
  const shardOf = (sha256: string) => shardIn(folder, nameOf(sha256));
  const pathOf = (sha256: string) => blobPath(folder, nameOf(sha256));
  const intentOf = (sha256: string) => join(intents, nameOf(sha256));

  async function place(temporary: string, sha256: string): Promise<void> {
    const shard = shardOf(sha256);
    await writeFile(intentOf(sha256), "");
    const isNew = (await mkdir(shard, { recursive: true })) !== undefined;
    await renameFile(temporary, pathOf(sha256));
    await syncFolder(shard);
    if (isNew) await syncFolder(folder);
  }

  return {
    async put(content, inspect) {
      const temporary = join(incoming, randomUUID());
      const hash = createHash("sha256");
      let size = 0;
      let head = Buffer.alloc(0);
      try {
        const see = (chunk: Buffer) => {
          hash.update(chunk);
          size += chunk.length;
          if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
        };
        await pipeline(content, async (chunks: AsyncIterable<Buffer>) => {
          await makeFolders(); // the whole folder may have been removed
          await writeNew(temporary, chunks, see);
        });
        const sha256 = hash.digest("hex");
        await inspect?.(head, { sha256, size });
        await place(temporary, sha256);
        return { sha256, size };
      } finally {
        await rm(temporary, { force: true });
      }
    },
    settle: (sha256) => rm(intentOf(sha256), { force: true }),

    async open(sha256) {
      const file = await open(pathOf(sha256), "r").catch((error: unknown) => {
        if (!isAbsence(error)) throw error;
      });
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
      await rm(intentOf(sha256), { force: true });
    },

    setAside: (sha256) => move(pathOf(sha256), join(orphans, sha256)),
    takeBack: (sha256) => move(join(orphans, sha256), pathOf(sha256)),

    async orphans() {
      const names = (await readdir(orphans).catch(noneOf)).filter((name) => isAddress.test(name));
      const sizes = names.map(async (name) => (await stat(join(orphans, name)).catch(() => undefined))?.size ?? 0);
      return { count: names.length, bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) };
    },

    async removeSetAside(isNamed) {
      let removed = 0;
      for (const sha256 of await readdir(orphans).catch(noneOf)) {
        if (!isAddress.test(sha256) || (await isNamed(sha256))) continue;
        await rm(join(orphans, sha256), { force: true });
        removed++;
      }
      return removed;
    },

    list: () => listBlobs(folder),

    unsettled: () => unsettledBlobs(folder),
  };
}
