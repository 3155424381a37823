/**
 * Multipart uploads of contents whose address is not known yet: each is written as an object of its own below
 * `incoming`. A store keeps the parts of an upload that is neither completed nor aborted for ever, so a file in the data
 * directory notes each one while it lives.
 */
import { mkdir, open, rm, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { ownNamesIn } from "./notes.ts";
import { isAbsent, type CallStore } from "./s3-client.ts";
import { ifMissing } from "../../file-system/is-missing.ts";

export interface S3Draft extends AsyncDisposable {
  readonly key: string;
  /** Sends a part once the one before has arrived; at most one is on its way. */
  add(part: Buffer): Promise<void>;
  /** Makes the object of all parts. */
  complete(): Promise<void>;
}

interface DraftsOptions {
  readonly call: CallStore;
  readonly bucket: string;
  /** The beginning of the keys. */
  readonly prefix: string;
  /** Holds the notes. */
  readonly folder: string;
}

interface Note {
  readonly Key: string;
  readonly UploadId: string;
}

/** Longer than any note. */
const maxNoteBytes = 4096;

/**
 * The note in a file; undefined if the file is something else: a note that was cut off, or half an upload of a disk store
 * that used the folder before. Such a file may be large, and its sender chose the content.
 */
async function noteIn(folder: string, name: string): Promise<Note | undefined> {
  await using file = await open(join(folder, name)).catch(ifMissing(undefined));
  if (!file) return undefined;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxNoteBytes));
  try {
    const note = JSON.parse(buffer.toString("utf8", 0, bytesRead)) as Note;
    return note.Key.endsWith(`incoming/${name}`) ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Uploads that are noted in the folder now were begun by a process that was killed. */
export async function openDrafts({ call, bucket: Bucket, prefix, folder }: DraftsOptions) {
  const remains = new Set(await ownNamesIn(folder));

  /** Removes an upload's parts, or its object, then its note. */
  async function remove(name: string, { Key, UploadId }: Note): Promise<void> {
    const abort = call((s3) => s3.abortMultipartUpload({ Bucket, Key, UploadId }));
    await abort.catch((error: unknown) => {
      if (!isAbsent(error)) throw error; // it was completed
    });
    await call((s3) => s3.deleteObject({ Bucket, Key }));
    await rm(join(folder, name), { force: true });
  }

  async function begin(): Promise<S3Draft> {
    const name = randomUUID();
    const Key = `${prefix}incoming/${name}`;
    const { UploadId = "" } = await call((s3) => s3.createMultipartUpload({ Bucket, Key }));
    const note: Note = { Key, UploadId };
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(note));
    const parts: { ETag: string | undefined; PartNumber: number }[] = [];
    let sending = Promise.resolve();
    return {
      key: Key,
      async add(Body) {
        await sending;
        const PartNumber = parts.length + 1;
        sending = call((s3) => s3.uploadPart({ Bucket, Key, UploadId, PartNumber, Body })).then(
          ({ ETag }) => void parts.push({ ETag, PartNumber }),
        );
        sending.catch(() => undefined); // the error is reported to the awaiting caller
      },
      async complete() {
        await sending;
        await call((s3) => s3.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload: { Parts: parts } }));
      },
      async [Symbol.asyncDispose]() {
        // A part that arrives after the abort would stay.
        await sending.catch(() => undefined);
        // Its note stays where this fails, for the next start.
        await remove(name, note).catch(() => undefined);
      },
    };
  }

  return {
    begin,

    async removeRemains(): Promise<void> {
      for (const name of remains) {
        const note = await noteIn(folder, name);
        if (note) await remove(name, note);
        else await rm(join(folder, name), { force: true });
        remains.delete(name);
      }
    },
  };
}
