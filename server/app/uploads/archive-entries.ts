import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fromRandomAccessReader, RandomAccessReader, type Entry as ZipEntry, type ZipFile } from "yauzl";
import type { z } from "zod";
import type { archiveEntrySchema } from "../../contract/app/uploads.ts";
import { badRequest } from "../../http/http-error.ts";
import { entryName } from "./entry-name.ts";

/** The most entries that are listed: an archive of a few kilobytes may claim millions. */
const maxEntries = 1_000;

type Entry = z.infer<typeof archiveEntrySchema>;

type Read = (range: { start: number; end: number }) => Readable;

type Done = (error: Error | null, bytes?: number) => void;

/** Reads the parts that the library asks for: the directory at the end, never the members. */
class ContentReader extends RandomAccessReader {
  readonly #size: number;
  readonly #read: Read;
  /** Why the content could not be read. */
  failure: unknown;

  constructor(size: number, read: Read) {
    super();
    this.#size = size;
    this.#read = read;
  }

  override read(into: Buffer, offset: number, length: number, position: number, done: Done): void {
    this.#copy(into.subarray(offset, offset + length), position).then(
      (bytes) => done(null, bytes),
      (error: unknown) => done((this.failure = error) as Error),
    );
  }

  /** Returns the number of bytes: fewer at the end of the content. */
  async #copy(into: Buffer, position: number): Promise<number> {
    const end = Math.min(position + into.length, this.#size);
    if (position >= end) return 0;
    return (await buffer(this.#read({ start: position, end: end - 1 }))).copy(into);
  }
}

/**
 * The members of a zip archive of `size` bytes, read from its directory without unpacking anything.
 * @throws HttpError 400 when the archive is damaged; as `read` does
 */
export async function archiveEntries(size: number, read: Read): Promise<{ entries: Entry[]; complete: boolean }> {
  const reader = new ContentReader(size, read);
  const problem = (cause: unknown) =>
    reader.failure ?? badRequest("archive_damaged", `The archive cannot be read: ${(cause as Error).message}.`);
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
    archive.on("error", (error: unknown) => reject(problem(error)));
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
