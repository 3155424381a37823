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

/** Content that has been opened: it can be read to its end, whatever becomes of its name meanwhile. */
export interface OpenBlob extends AsyncDisposable {
  /** Bytes. */
  readonly size: number;
  /** A stream of the content, optionally of the bytes from `start` to `end`, both included. */
  read(range?: { start: number; end: number }): Readable;
}

/** Content kept by its hash: the same bytes are stored once. */
export interface BlobStore {
  /**
   * Stores a stream and uses its chunks up: who made them must not read them again. `inspect` sees the first bytes (at
   * most 8 KiB) and the address before the content becomes visible; what it throws is thrown on and nothing remains. The
   * content is on the disk when the promise resolves, and replaces what has its address already: that may be damaged.
   * Until `settle` it counts as content that nobody names yet.
   */
  put(content: Readable, inspect?: (head: Buffer, blob: StoredBlob) => Promise<void> | void): Promise<StoredBlob>;
  /** Somebody names the content now: it must not go when the process does. */
  settle(sha256: string): Promise<void>;
  /** Undefined where there is no such content. */
  open(sha256: string): Promise<OpenBlob | undefined>;
  /** Does nothing when there is no such content. */
  remove(sha256: string): Promise<void>;
  /** Puts content out of the way that nobody can explain, or that is damaged, instead of deleting it. False: there is none. */
  setAside(sha256: string): Promise<boolean>;
  /** Takes back what has been set aside; false where nothing was. */
  takeBack(sha256: string): Promise<boolean>;
  /** Deletes what has been set aside and nobody names any more; answers how many contents went. */
  removeSetAside(isNamed: (sha256: string) => Promise<boolean>): Promise<number>;
  /** How much is set aside. */
  orphans(): Promise<{ count: number; bytes: number }>;
  /** The addresses of all that is stored, without what is set aside. */
  list(): Promise<string[]>;
  /** The addresses of contents that were put and never settled: a crash came between. */
  unsettled(): Promise<string[]>;
}

const partBytes = 256 * 1024;

/** The handle's own streams close it when they are destroyed, and more than one of them may be wanted. */
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

/** So many bytes go to the disk at once: to wake the thread that writes costs as much as it takes to write many of them. */
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

/** A disk that is nearly full takes a part without a word: only the rest is refused. */
async function writeWhole(file: FileHandle, batch: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await file.writev(batch);
  const bytes = batch.reduce((sum, { length }) => sum + length, 0);
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten));
  giveBack(batch);
}

/**
 * Gives back the memory of chunks that have it to themselves. It lies outside the heap, and each 64 MB of it that wait for
 * the garbage collector make it look through the whole heap.
 */
function giveBack(chunks: readonly Buffer[]): void {
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Writes a new file; `see` gets each chunk while the ones before it are on their way to the disk. */
async function writeNew(path: string, chunks: AsyncIterable<Buffer>, see: (chunk: Buffer) => void): Promise<void> {
  await using file = await open(path, "wx");
  let writing = Promise.resolve();
  for await (const batch of inBatches(chunks)) {
    for (const chunk of batch) see(chunk);
    await writing;
    writing = writeWhole(file, batch);
    writing.catch(() => undefined); // whoever waits for it is told
  }
  await writing;
  await file.datasync();
}

const isAbsence = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";

/** What a folder holds that is not there. */
function noneOf(error: unknown): string[] {
  if (isAbsence(error)) return [];
  throw error;
}

const shardIn = (folder: string, sha256: string) => join(folder, sha256.slice(0, 2));
export const blobPath = (folder: string, sha256: string) => join(shardIn(folder, sha256), sha256);

/** What `list` of the store in this folder answers, which need not be opened for that. */
export async function listBlobs(folder: string): Promise<string[]> {
  const shards = (await readdir(folder).catch(noneOf)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const ofShard = async (shard: string) => {
    const entries = await readdir(join(folder, shard), { withFileTypes: true });
    const own = entries.filter((one) => one.isFile() && isAddress.test(one.name) && one.name.startsWith(shard));
    return own.map(({ name }) => name);
  };
  return (await Promise.all(shards.map(ofShard))).flat();
}

/** What `unsettled` of the store in this folder answers, which need not be opened for that. */
export const unsettledBlobs = async (folder: string): Promise<string[]> =>
  (await readdir(join(folder, "intents")).catch(noneOf)).filter((name) => isAddress.test(name));

/** False where there is nothing to be moved. */
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
 * Blobs as files `<folder>/<first two hex digits>/<sha256>`. What is being written lies in `<folder>/incoming` and gets its
 * name by an atomic rename; leftovers of a crash there are removed when the store is opened. A file of its name in
 * `<folder>/intents` says that it is not settled; `<folder>/orphans` holds what was set aside.
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
          await makeFolders(); // somebody may have taken the whole folder away
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
