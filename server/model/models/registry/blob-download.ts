/** Downloads one blob: several parts at once into one file, each resumed after an interruption. */
import type { IncomingMessage } from "node:http";
import { mkdir, open, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { renameFile } from "../../../file-system/rename-file.ts";
import { isOfUnknownLength } from "../../../http/outgoing/first-byte.ts";
import type { Digest } from "../library/manifest.ts";
import { flushFolder, hashFile } from "../library/store-writes.ts";
import { planParts, readRecords, removeRecords, writeRecord, type DownloadPart } from "./part-records.ts";
import type { BlobPlace, RegistryClient } from "./registry-client.ts";
import { FatalTransferError, RegistryError, withRetries } from "./registry-error.ts";
import type { TransferTuning } from "./tuning.ts";

export interface BlobRequest {
  readonly digest: Digest;
  /** Bytes, as in the manifest. */
  readonly size: number;
  /** Path of the finished blob. */
  readonly path: string;
}

export interface Retry {
  readonly status: string;
}

/** Bytes written to the disk at once. */
const batchBytes = 1024 * 1024;

export const partialPath = (path: string) => `${path}-partial`;

/** Bytes from an earlier download. */
export async function completedBefore({ path, size }: BlobRequest): Promise<number> {
  const parts = (await readRecords(partialPath(path), size)) ?? [];
  return parts.reduce((sum, { completed }) => sum + completed, 0);
}

async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    // A nearly full disk writes only a part, without an error.
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done).catch(diskFailure);
    done += bytesWritten;
  }
}

const diskFailure = (error: unknown): never => {
  throw new FatalTransferError(`the blob cannot be written: ${(error as Error).message}`, { cause: error });
};

/** At most `limit` bytes of the chunks, from byte `skip` on, joined to larger chunks. */
async function* batches(reply: AsyncIterable<Buffer>, skip: number, limit: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  let left = limit;
  let toSkip = skip;
  for await (const chunk of reply) {
    const from = chunk.subarray(Math.min(toSkip, chunk.length));
    toSkip -= chunk.length - from.length;
    const wanted = from.subarray(0, left);
    left -= wanted.length;
    held.push(wanted);
    bytes += wanted.length;
    if (bytes >= batchBytes || left === 0) {
      yield Buffer.concat(held);
      held = [];
      bytes = 0;
    }
    if (left === 0) return;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

/** Ends a reply that has stalled. */
async function* watched(reply: IncomingMessage, stallMs: number): AsyncGenerator<Buffer> {
  const stalled = setTimeout(() => reply.destroy(new Error("the transfer has stalled")), stallMs);
  try {
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      stalled.refresh();
      yield chunk;
    }
  } finally {
    clearTimeout(stalled);
  }
}

/**
 * The download of one blob, in parts at once. States: planned by the first `fetch`, which later ones continue, then finished
 * by `finish`; or present from the start. Only one call runs at a time.
 */
export class BlobDownload {
  readonly #registry: RegistryClient;
  readonly #blob: BlobRequest;
  readonly #partial: string;
  readonly #tuning: TransferTuning & { readonly onRetry: (status: string) => void };
  #parts: DownloadPart[] = [];
  /** Another download has finished the blob. */
  #present = false;
  /** The address of the blob, asked for once until it fails. */
  #place: Promise<BlobPlace> | undefined;
  #lastRetry: Retry | undefined;

  constructor(registry: RegistryClient, blob: BlobRequest, tuning: TransferTuning) {
    this.#registry = registry;
    this.#blob = blob;
    this.#partial = partialPath(blob.path);
    this.#tuning = { ...tuning, onRetry: (status: string) => void (this.#lastRetry = { status }) };
  }

  /** Bytes in the file; fewer again when a reply of unknown length turns out to be something else. */
  completed(): number {
    if (this.#present) return this.#blob.size;
    return this.#parts.reduce((sum, { completed }) => sum + completed, 0);
  }

  /** That it tries again after a failure: the newest of these news, another object each time. */
  lastRetry(): Retry | undefined {
    return this.#lastRetry;
  }

  /** Fetches what is missing. @throws RegistryError, FatalTransferError, the signal's reason; what came is kept */
  async fetch(signal: AbortSignal): Promise<void> {
    await this.#prepare(signal);
    if (!this.#present) await this.#fetchAll(signal);
  }

  /** Checks the digest and moves the blob to its path. @throws FatalTransferError */
  async finish(signal: AbortSignal): Promise<void> {
    if (this.#present) return;
    const { digest, path } = this.#blob;
    const got = await hashFile(this.#partial, signal);
    if (got !== digest) {
      await rm(this.#partial, { force: true });
      await removeRecords(this.#partial);
      throw new FatalTransferError(`digest mismatch, file must be downloaded again: want ${digest}, got ${got}`);
    }
    await renameFile(this.#partial, path);
    await removeRecords(this.#partial);
    await flushFolder(dirname(path));
  }

  #findPlace(signal: AbortSignal): Promise<BlobPlace> {
    this.#place ??= this.#registry.placeOf(this.#blob.digest, this.#blob.size, signal).catch((error: unknown) => {
      this.#place = undefined;
      throw error;
    });
    return this.#place;
  }

  async #readPart(file: FileHandle, part: DownloadPart, reply: IncomingMessage): Promise<void> {
    const { completed: before } = part;
    const skip = reply.statusCode === 206 ? 0 : part.offset + before;
    // The bytes after the part only show whether the reply was the blob at all.
    const isUnsure = isOfUnknownLength(reply);
    let left = isUnsure ? this.#blob.size - skip : part.size - before;
    let recorded = before;
    try {
      for await (const bytes of batches(watched(reply, this.#tuning.stallMs), skip, left)) {
        left -= bytes.length;
        const own = bytes.subarray(0, part.size - part.completed);
        await writeAt(file, own, part.offset + part.completed);
        part.completed += own.length;
        if (isUnsure || part.completed - recorded < this.#tuning.recordBytes) continue;
        recorded = part.completed;
        await writeRecord(this.#partial, part);
      }
    } finally {
      reply.destroy();
      if (isUnsure && left > 0) part.completed = before;
      await writeRecord(this.#partial, part);
    }
    if (left > 0) throw new Error("the transfer ended too early");
  }

  async #openPart(from: BlobPlace, part: DownloadPart, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await this.#registry.open(from, part.offset + part.completed, part.offset + part.size - 1, signal);
    } catch (error) {
      const refused = error instanceof RegistryError && error.status < 500 && error.status !== 429;
      if (!refused) throw error;
      throw new Error(`the download link of ${this.#blob.digest} has expired: ${error.message}`, { cause: error });
    }
  }

  async #fetchPart(file: FileHandle, part: DownloadPart, signal: AbortSignal): Promise<void> {
    let before = part.completed;
    const attempt = async () => {
      before = part.completed;
      if (part.completed === part.size) return;
      const asked = this.#findPlace(signal);
      const from = await asked;
      try {
        await this.#readPart(file, part, await this.#openPart(from, part, signal));
      } catch (error) {
        // The address or its token has expired, or leads elsewhere; the next attempt asks the registry again.
        if (this.#place === asked) this.#place = undefined;
        throw error;
      }
    };
    await withRetries(attempt, this.#tuning, signal, () => part.completed > before);
  }

  async #prepare(signal: AbortSignal): Promise<void> {
    if ((await stat(this.#blob.path).catch(() => undefined))?.size === this.#blob.size) {
      // Another download finished it meanwhile.
      this.#parts = [];
      this.#present = true;
      return;
    }
    await mkdir(dirname(this.#blob.path), { recursive: true });
    const before = await readRecords(this.#partial, this.#blob.size);
    // A plan by which nothing came is made anew: the registry may know ranges by now.
    if (before?.some(({ completed }) => completed > 0) === true) {
      this.#parts = before;
      return;
    }
    await removeRecords(this.#partial);
    await rm(this.#partial, { force: true });
    const { ranges } =
      this.#blob.size === 0 ? { ranges: true } : await withRetries(() => this.#findPlace(signal), this.#tuning, signal);
    this.#parts = ranges
      ? planParts(this.#blob.size, this.#tuning.minPartBytes, this.#tuning.maxPartBytes)
      : planParts(this.#blob.size, this.#blob.size, this.#blob.size);
    await using file = await open(this.#partial, "w", 0o644);
    await file.truncate(this.#blob.size).catch(diskFailure);
    for (const part of this.#parts) await writeRecord(this.#partial, part);
  }

  async #fetchAll(signal: AbortSignal): Promise<void> {
    await using file = await open(this.#partial, "r+");
    const waiting = this.#parts.filter(({ completed, size: bytes }) => completed < bytes);
    const failed = new AbortController();
    const both = AbortSignal.any([signal, failed.signal]);
    const lane = async () => {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift())
        await this.#fetchPart(file, part, both);
    };
    const lanes = Array.from({ length: Math.min(this.#tuning.streams, waiting.length) }, () =>
      lane().catch((error: unknown) => {
        // The file must stay open until every transfer has ended.
        failed.abort(error);
      }),
    );
    await Promise.all(lanes);
    signal.throwIfAborted();
    failed.signal.throwIfAborted();
    await file.sync();
  }
}
