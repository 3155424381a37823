import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { blobName, checkedAddress, isAddress, type BlobStore, type OpenBlob, type StoredBlob } from "./blob-store.ts";
import { noteIntent, removeIntent, unsettledIn } from "./notes.ts";
import { explained, isAbsent, missingBucket, openS3Client, type BucketAddress } from "./s3-client.ts";
import { openDrafts, type S3Draft } from "./s3-draft.ts";
import { createStreamDigest, freeBuffers } from "./stream-digest.ts";

interface Options extends BucketAddress {
  /** The data directory's folder of uploads, for notes on unfinished uploads. */
  readonly folder: string;
  /** How long a link to a content is valid; 0 makes none. */
  readonly linkSeconds: number;
  /** Younger contents may be those of another instance, which is about to refer to them. */
  readonly youngMs?: number;
}

/** The smallest part that stores accept. An upload keeps two in memory: one that is read, one that is sent. */
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

interface Deps {
  readonly client: Awaited<ReturnType<typeof openS3Client>>;
  readonly drafts: Awaited<ReturnType<typeof openDrafts>>;
}

/**
 * Sends no request and writes nothing.
 * @throws the error of a failed import where the SDK is not installed
 */
export async function openS3BlobStore(options: Options): Promise<BlobStore> {
  const client = await openS3Client(options);
  const place = splitBucket(options.bucket);
  const drafts = await openDrafts({ call: client.call, ...place, folder: join(options.folder, "incoming") });
  return new S3BlobStore(options, { client, drafts });
}

/** The bucket of `name/prefix`, and the beginning of the names of its objects. */
function splitBucket(place: string) {
  const [bucket = "", ...path] = place.split("/");
  return { bucket, prefix: path.map((name) => `${name}/`).join("") };
}

/**
 * Stores blobs as objects in a bucket, by the names that they have in a folder. One that is shorter than a part is sent
 * as a whole, once its hash is known; a longer one becomes an object below `incoming`, which is then copied.
 */
class S3BlobStore implements BlobStore {
  readonly place: string;
  readonly isRemote = true;
  readonly #options: Options;
  readonly #client: Deps["client"];
  readonly #call: Deps["client"]["call"];
  readonly #drafts: Deps["drafts"];
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(options: Options, { client, drafts }: Deps) {
    const { bucket, prefix } = splitBucket(options.bucket);
    this.place = `s3://${options.bucket}`;
    this.#options = options;
    this.#client = client;
    this.#call = client.call;
    this.#drafts = drafts;
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  async put(
    content: Readable,
    inspect?: (head: Buffer, blob: StoredBlob) => Promise<void> | void,
  ): Promise<StoredBlob> {
    const digest = createStreamDigest();
    let whole: Buffer = Buffer.alloc(0);
    let draft: S3Draft | undefined;
    try {
      await pipeline(content, async (chunks: AsyncIterable<Buffer>) => {
        for await (const part of inParts(chunks, digest.see)) {
          if (!draft && part.length < partBytes) whole = part;
          else await (draft ??= await this.#drafts.begin()).add(part);
        }
        await draft?.complete();
      });
      const blob = digest.end();
      await inspect?.(digest.head(), blob);
      await noteIntent(this.#options.folder, blob.sha256);
      const address = this.#addressOf(blob.sha256);
      if (draft) await this.#copy(draft.key, address.Key);
      else await this.#call((s3) => s3.putObject({ ...address, Body: whole }));
      return blob;
    } finally {
      await draft?.[Symbol.asyncDispose]();
    }
  }

  async settle(sha256: string): Promise<void> {
    await removeIntent(this.#options.folder, sha256);
  }

  async open(sha256: string): Promise<OpenBlob | undefined> {
    const address = this.#addressOf(sha256);
    const { linkSeconds } = this.#options;
    const { sdk, getSignedUrl } = this.#client;
    const found = await this.#ifThere(() => this.#call((s3) => s3.headObject(address)));
    if (!found) return undefined;
    return {
      size: found.ContentLength ?? 0,
      read: (range) => Readable.from(this.#bytesOf(sha256, range), { objectMode: false }),
      ...(linkSeconds > 0 && {
        link: ({ contentType: ResponseContentType, contentDisposition: ResponseContentDisposition }) => {
          const download = { ...address, ResponseContentType, ResponseContentDisposition };
          return this.#call((s3) => getSignedUrl(s3, new sdk.GetObjectCommand(download), { expiresIn: linkSeconds }));
        },
      }),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }

  async remove(sha256: string): Promise<void> {
    await this.#delete(this.#addressOf(sha256).Key);
    await removeIntent(this.#options.folder, sha256);
  }

  async setAside(sha256: string): Promise<boolean> {
    const { youngMs = hourMs } = this.#options;
    const address = this.#addressOf(sha256);
    const found = await this.#ifThere(() => this.#call((s3) => s3.headObject(address)));
    if (!found || Date.now() - (found.LastModified?.getTime() ?? 0) < youngMs) return false;
    return this.#move(address.Key, this.#orphanOf(sha256));
  }

  async takeBack(sha256: string): Promise<boolean> {
    return this.#move(this.#orphanOf(sha256), this.#addressOf(sha256).Key);
  }

  async orphans(): Promise<{ count: number; bytes: number }> {
    const found = await this.#listOrphans();
    return { count: found.length, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  async removeSetAside(isNamed: (sha256: string) => Promise<boolean>): Promise<number> {
    let removed = 0;
    for (const { name } of await this.#listOrphans()) {
      if (await isNamed(name)) continue;
      await this.#delete(this.#orphanOf(name));
      removed++;
    }
    return removed;
  }

  async list(): Promise<string[]> {
    const addresses = (await this.#list("")).map(({ name }) => addressIn(name));
    return addresses.filter((address) => address !== undefined);
  }

  async unsettled(): Promise<string[]> {
    return unsettledIn(this.#options.folder);
  }

  async removeRemains(): Promise<void> {
    await this.#drafts.removeRemains();
  }

  #addressOf(sha256: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + blobName(sha256) };
  }

  #orphanOf(sha256: string): string {
    return `${this.#prefix}orphans/${checkedAddress(sha256)}`;
  }

  async #copy(from: string, Key: string): Promise<object> {
    const Bucket = this.#bucket;
    return this.#call((s3) => s3.copyObject({ Bucket, Key, CopySource: `${Bucket}/${from}` }));
  }

  async #delete(Key: string): Promise<void> {
    await this.#call((s3) => s3.deleteObject({ Bucket: this.#bucket, Key }));
  }

  /** Undefined for a missing object. */
  async #ifThere<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
    // The answer to HEAD does not tell a missing object from a missing bucket.
    await this.#call((s3) => s3.headBucket({ Bucket: this.#bucket })).catch((error: unknown) => {
      throw isAbsent(error) ? missingBucket(error) : error;
    });
    return undefined;
  }

  /** False when there is nothing to move. */
  async #move(from: string, to: string): Promise<boolean> {
    if ((await this.#ifThere(() => this.#copy(from, to))) === undefined) return false;
    await this.#delete(from);
    return true;
  }

  /** The objects below the prefix and `below`: their names there, and their sizes. */
  async #list(below: string): Promise<{ name: string; bytes: number }[]> {
    const Prefix = this.#prefix + below;
    const found: { name: string; bytes: number }[] = [];
    let ContinuationToken: string | undefined;
    do {
      const from = { ...(ContinuationToken !== undefined && { ContinuationToken }) };
      const page = await this.#call((s3) => s3.listObjectsV2({ Bucket: this.#bucket, Prefix, ...from }));
      for (const { Key = "", Size = 0 } of page.Contents ?? [])
        found.push({ name: Key.slice(Prefix.length), bytes: Size });
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return found;
  }

  async #listOrphans(): Promise<{ name: string; bytes: number }[]> {
    return (await this.#list("orphans/")).filter(({ name }) => isAddress(name));
  }

  async *#bytesOf(sha256: string, range: { start: number; end: number } | undefined): AsyncGenerator<Buffer> {
    const Range = range && `bytes=${String(range.start)}-${String(range.end)}`;
    const { Body } = await this.#call((s3) => s3.getObject({ ...this.#addressOf(sha256), ...(Range && { Range }) }));
    try {
      if (Body) yield* Body as Readable as AsyncIterable<Buffer>;
    } catch (error) {
      throw explained(error); // the store may also fail in mid-transfer
    }
  }
}
