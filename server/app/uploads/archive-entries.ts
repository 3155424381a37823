import type { Readable } from "node:stream";
import { fromRandomAccessReader, RandomAccessReader, type ZipFile } from "yauzl";
import type { z } from "zod";
import type { archiveEntrySchema } from "../../contract/app/uploads.ts";
import { badRequest } from "../../http/http-error.ts";

/** The most entries that are listed: an archive of a few kilobytes may claim millions. */
const maxEntries = 1_000;

type Entry = z.infer<typeof archiveEntrySchema>;

/** Reads the parts that the library asks for: the directory at the end, never the members. */
class ContentReader extends RandomAccessReader {
  readonly #read: (range: { start: number; end: number }) => Readable;
  constructor(read: (range: { start: number; end: number }) => Readable) {
    super();
    this.#read = read;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return this.#read({ start, end: end - 1 });
  }
}

/**
 * The members of a zip archive of `size` bytes, read from its directory without unpacking anything.
 * @throws HttpError 400 when the archive is damaged
 */
export async function archiveEntries(
  size: number,
  read: (range: { start: number; end: number }) => Readable,
): Promise<{ entries: Entry[]; complete: boolean }> {
  const damaged = (cause: unknown) =>
    badRequest("archive_damaged", `The archive cannot be read: ${(cause as Error).message}.`);
  const archive = await new Promise<ZipFile>((resolve, reject) => {
    fromRandomAccessReader(new ContentReader(read), size, { lazyEntries: true, autoClose: false }, (error, file) => {
      if (error) reject(damaged(error));
      else resolve(file);
    });
  });
  const entries: Entry[] = [];
  const complete = await new Promise<boolean>((resolve, reject) => {
    archive.on("error", (error: unknown) => reject(damaged(error)));
    archive.on("end", () => resolve(true));
    archive.on("entry", ({ fileName, uncompressedSize }: { fileName: string; uncompressedSize: number }) => {
      if (entries.length === maxEntries) {
        resolve(false);
        return;
      }
      entries.push({ name: fileName, size: uncompressedSize, directory: fileName.endsWith("/") });
      archive.readEntry();
    });
    archive.readEntry();
  });
  return { entries, complete };
}
