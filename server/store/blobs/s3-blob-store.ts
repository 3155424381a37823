import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { blobName, checkedAddress, isAddress, type BlobStore } from "./blob-store.ts";
import { noteIntent, removeIntent, unsettledIn } from "./notes.ts";
import { explained, isAbsent, missingBucket, openS3Client, type BucketAddress } from "./s3-client.ts";
import { openDrafts, type S3Draft } from "./s3-draft.ts";
import { createStreamDigest, freeBuffers } from "./stream-digest.ts";

interface Options extends BucketAddress {
  /** The data directory's folder of uploads, for notes of what is under way. */
  readonly folder: string;
  /** How long a link to a content is valid; 0 makes none. */
  readonly linkSeconds: number;
  /** Younger contents may be those of another instance, which is about to refer to them. */
  readonly youngMs?: number;
}

/** The smallest part that stores take. An upload keeps two in memory: one that is read, one that is sent. */
const partBytes = 5 * 1024 * 1024;
const hourMs = 3_600_000;

/** Cuts a stream into parts of equal size, of which the last may be shorter. `see` gets each chunk; then it is freed. */
async function* inParts(chunks: AsyncIterable<Buffer>, see: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    see(chunk);
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.copy(part, filled, at);
      at += taken;
      filled += taken;
      if (filled < partBytes) continue;
      yield part;
      part = Buffer.allocUnsafeSlow(partBytes);
      filled = 0;
    }
    freeBuffers([chunk]);
  }
  if (filled > 0) yield part.subarray(0, filled);
}

/** The address in the name of an object; undefined for any other object. */
function addressIn(name: string): string | undefined {
  const address = name.slice(name.indexOf("/") + 1);
  return isAddress(address) && name === blobName(address) ? address : undefined;
}

/**
 * Stores blobs as objects in a bucket, by the names that they have in a folder. One that is shorter than a part is sent
 * as a whole, once its hash is known; a longer one becomes an object below `incoming`, which is then copied.
 * Opening it asks the store nothing, and writes nothing.
 * @throws the error of a failed import where the SDK is not installed
 */
export async function openS3BlobStore(options: Options): Promise<BlobStore> {
  const { folder, linkSeconds, youngMs = hourMs } = options;
  const [Bucket = "", ...path] = options.bucket.split("/");
  const prefix = path.map((name) => `${name}/`).join("");
  const { sdk, call, getSignedUrl } = await openS3Client(options);
  const drafts = await openDrafts({ call, bucket: Bucket, prefix, folder: join(folder, "incoming") });

  const keyOf = (sha256: string) => prefix + blobName(sha256);
  const orphanOf = (sha256: string) => `${prefix}orphans/${checkedAddress(sha256)}`;
  const copy = (from: string, Key: string) =>
    call((s3) => s3.copyObject({ Bucket, Key, CopySource: `${Bucket}/${from}` }));
  const remove = (Key: string) => call((s3) => s3.deleteObject({ Bucket, Key }));

  /** Undefined for a missing object. */
  async function ifThere<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
    // The answer to HEAD does not tell a missing object from a missing bucket.
    await call((s3) => s3.headBucket({ Bucket })).catch((error: unknown) => {
      throw isAbsent(error) ? missingBucket(error) : error;
    });
    return undefined;
  }

  /** False when there is nothing to move. */
  async function move(from: string, to: string): Promise<boolean> {
    if ((await ifThere(() => copy(from, to))) === undefined) return false;
    await remove(from);
    return true;
  }

  /** The objects below the prefix and `below`: their names there, and their sizes. */
  async function listed(below: string): Promise<{ name: string; bytes: number }[]> {
    const found: { name: string; bytes: number }[] = [];
    let ContinuationToken: string | undefined;
    do {
      const from = { ...(ContinuationToken !== undefined && { ContinuationToken }) };
      const page = await call((s3) => s3.listObjectsV2({ Bucket, Prefix: prefix + below, ...from }));
      for (const { Key = "", Size = 0 } of page.Contents ?? [])
        found.push({ name: Key.slice(prefix.length + below.length), bytes: Size });
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return found;
  }

  const setAsides = async () => (await listed("orphans/")).filter(({ name }) => isAddress(name));

  async function* bytesOf(Key: string, range: { start: number; end: number } | undefined): AsyncGenerator<Buffer> {
    const Range = range && `bytes=${String(range.start)}-${String(range.end)}`;
    const { Body } = await call((s3) => s3.getObject({ Bucket, Key, ...(Range && { Range }) }));
    try {
      if (Body) yield* Body as Readable as AsyncIterable<Buffer>;
    } catch (error) {
      throw explained(error); // the store may also fail in mid-transfer
    }
  }

  return {
    place: `s3://${options.bucket}`,
    isRemote: true,

    async put(content, inspect) {
      const digest = createStreamDigest();
      let whole: Buffer = Buffer.alloc(0);
      let draft: S3Draft | undefined;
      try {
        await pipeline(content, async (chunks: AsyncIterable<Buffer>) => {
          for await (const part of inParts(chunks, digest.see)) {
            if (!draft && part.length < partBytes) whole = part;
            else await (draft ??= await drafts.begin()).add(part);
          }
          await draft?.complete();
        });
        const blob = digest.end();
        await inspect?.(digest.head(), blob);
        await noteIntent(folder, blob.sha256);
        const Key = keyOf(blob.sha256);
        if (draft) await copy(draft.key, Key);
        else await call((s3) => s3.putObject({ Bucket, Key, Body: whole }));
        return blob;
      } finally {
        await draft?.[Symbol.asyncDispose]();
      }
    },
    settle: (sha256) => removeIntent(folder, sha256),

    async open(sha256) {
      const Key = keyOf(sha256);
      const found = await ifThere(() => call((s3) => s3.headObject({ Bucket, Key })));
      if (!found) return undefined;
      return {
        size: found.ContentLength ?? 0,
        read: (range) => Readable.from(bytesOf(Key, range), { objectMode: false }),
        ...(linkSeconds > 0 && {
          link: ({ contentType: ResponseContentType, contentDisposition: ResponseContentDisposition }) => {
            const download = { Bucket, Key, ResponseContentType, ResponseContentDisposition };
            return call((s3) => getSignedUrl(s3, new sdk.GetObjectCommand(download), { expiresIn: linkSeconds }));
          },
        }),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },

    async remove(sha256) {
      await remove(keyOf(sha256));
      await removeIntent(folder, sha256);
    },

    async setAside(sha256) {
      const Key = keyOf(sha256);
      const found = await ifThere(() => call((s3) => s3.headObject({ Bucket, Key })));
      if (!found || Date.now() - (found.LastModified?.getTime() ?? 0) < youngMs) return false;
      return await move(Key, orphanOf(sha256));
    },
    takeBack: (sha256) => move(orphanOf(sha256), keyOf(sha256)),

    async orphans() {
      const found = await setAsides();
      return { count: found.length, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0) };
    },

    async removeSetAside(isNamed) {
      let removed = 0;
      for (const { name } of await setAsides()) {
        if (await isNamed(name)) continue;
        await remove(orphanOf(name));
        removed++;
      }
      return removed;
    },

    async list() {
      const addresses = (await listed("")).map(({ name }) => addressIn(name));
      return addresses.filter((address) => address !== undefined);
    },

    unsettled: () => unsettledIn(folder),
    removeRemains: () => drafts.removeRemains(),
  };
}
