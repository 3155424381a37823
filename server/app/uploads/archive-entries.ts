import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fromRandomAccessReader, RandomAccessReader, type Entry as ZipEntry, type ZipFile } from "yauzl";
import type { z } from "zod";
import type { archiveEntrySchema } from "../../contract/app/uploads.ts";
import { refuse } from "../../http/http-error.ts";
import { entryName } from "./entry-name.ts";

/** The most entries that are listed: an archive of a few kilobytes may claim millions. */
const maxEntries = 1_000;
/** Bytes read at a time, because the library asks for each entry twice, and a bucket answers each request late. */
const blockBytes = 256 * 1024;

type Entry = z.infer<typeof archiveEntrySchema>;

type Read = (range: { start: number; end: number }) => Readable;

type Done = (error: Error | null, bytes?: number) => void;

/** Reads the blocks that the library asks for: those of the directory at the end. The latest stays in memory. */
class ContentReader extends RandomAccessReader {
  readonly #size: number;
  readonly #read: Read;
  readonly #left: AbortSignal;
  #block: Buffer = Buffer.alloc(0);
  #start = -1;
  /** Why the content could not be read. */
  failure: Error | undefined;

  constructor(size: number, read: Read, left: AbortSignal) {
    super();
    this.#size = size;
    this.#read = read;
    this.#left = left;
  }

  override read(into: Buffer, offset: number, length: number, position: number, done: Done): void {
    this.#copy(into.subarray(offset, offset + length), position).then(
      (bytes) => done(null, bytes),
      (error: Error) => done((this.failure = error)),
    );
  }

  /** Returns the number of bytes: fewer at the end of the content. */
  async #copy(into: Buffer, position: number): Promise<number> {
    let copied = 0;
    while (copied < into.length && position + copied < this.#size) {
      const at = position + copied;
      const bytes = (await this.#blockAt(at)).copy(into, copied, at % blockBytes);
      if (bytes === 0) break;
      copied += bytes;
    }
    return copied;
  }

  async #blockAt(position: number): Promise<Buffer> {
    const start = position - (position % blockBytes);
    if (start !== this.#start) {
      this.#left.throwIfAborted();
      const end = Math.min(start + blockBytes, this.#size);
      this.#block = await buffer(this.#read({ start, end: end - 1 }));
      this.#start = start;
    }
    return this.#block;
  }
}

/**
 * The members of a zip archive of `size` bytes, read from its directory without unpacking anything.
 * @param left aborts when nobody waits for them any more
 * @throws HttpError 400 when the archive is damaged; as `read` does; the reason of the signal
 */
export async function archiveEntries(
  size: number,
  read: Read,
  left: AbortSignal,
): Promise<{ entries: Entry[]; complete: boolean }> {
  const reader = new ContentReader(size, read, left);
  const problem = ({ message }: Error) => reader.failure ?? refuse("upload.archive", { problem: message });
  const archive = await new Promise<ZipFile>((resolve, reject) => {
    fromRandomAccessReader(
      reader,
      size,
      { lazyEntries: true, autoClose: false, decodeStrings: false },
      (error, file) => {
        if (error) reject(problem(error));
        else resolve(file);
      },
    );
  });
  const entries: Entry[] = [];
  const complete = await new Promise<boolean>((resolve, reject) => {
    archive.on("error", (error: Error) => reject(problem(error)));
    archive.on("end", () => resolve(true));
    archive.on("entry", (entry: ZipEntry) => {
      if (entries.length === maxEntries) {
        resolve(false);
        return;
      }
      const name = entryName(entry);
      entries.push({ name, size: entry.uncompressedSize, directory: name.endsWith("/") });
      archive.readEntry();
    });
    archive.readEntry();
  });
  return { entries, complete };
}
