import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface StoredBlob {
  /** Lower-case hex; also the blob's address. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** Content kept by its hash: the same bytes are stored once. */
export interface BlobStore {
  /**
   * Stores a stream and uses its chunks up: who made them must not read them again. `inspect` sees the first bytes (at
   * most 8 KiB) and the address before the content becomes visible; what it throws is thrown on and nothing remains.
   */
  put(content: Readable, inspect?: (head: Buffer, blob: StoredBlob) => Promise<void> | void): Promise<StoredBlob>;
  /** A stream of the content, optionally of the bytes from `start` to `end`, both included. */
  read(sha256: string, range?: { start: number; end: number }): Readable;
  /** Does nothing when there is no such content. */
  remove(sha256: string): Promise<void>;
  /** The addresses of all that is stored. */
  list(): Promise<string[]>;
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
}

/**
 * Blobs as files `<folder>/<first two hex digits>/<sha256>`. What is being written lies in `<folder>/incoming` and gets its
 * name by an atomic rename; leftovers of a crash are removed when the store is opened.
 */
export async function openDiskBlobStore(folder: string): Promise<BlobStore> {
  const incoming = join(folder, "incoming");
  await mkdir(incoming, { recursive: true });
  await Promise.all((await readdir(incoming)).map((name) => rm(join(incoming, name), { force: true })));
  const pathOf = (sha256: string) => {
    if (!isAddress.test(sha256)) throw new Error("not a sha256");
    return join(folder, sha256.slice(0, 2), sha256);
  };

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
        await pipeline(content, (chunks: AsyncIterable<Buffer>) => writeNew(temporary, chunks, see));
        const sha256 = hash.digest("hex");
        await inspect?.(head, { sha256, size });
        const file = pathOf(sha256);
        if ((await stat(file).catch(() => undefined)) === undefined) {
          await mkdir(join(folder, sha256.slice(0, 2)), { recursive: true });
          await rename(temporary, file);
        }
        return { sha256, size };
      } finally {
        await rm(temporary, { force: true });
      }
    },
    read: (sha256, range) => createReadStream(pathOf(sha256), range),

    remove: (sha256) => rm(pathOf(sha256), { force: true }),

    async list() {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      return files.filter((entry) => entry.isFile() && isAddress.test(entry.name)).map(({ name }) => name);
    },
  };
}
