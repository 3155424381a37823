/** The store of the uploads' contents: a folder, or a bucket of an S3-compatible store. */
import type { Readable } from "node:stream";

export interface StoredBlob {
  /** Lower-case hex; also the blob's address. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** The headers of a download. */
export interface DownloadHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** An opened content. Once reading has begun, it can be read to its end, even if it is removed meanwhile. */
export interface OpenBlob extends AsyncDisposable {
  /** Bytes. */
  readonly size: number;
  /** A stream of the content, optionally of the bytes from `start` to `end`, inclusive. */
  read(range?: { start: number; end: number }): Readable;
  /** A short-lived address at which the store itself sends the content, if it can. */
  readonly link?: (headers: DownloadHeaders) => Promise<string>;
}

/** Content addressed by its hash: equal bytes are stored once. Each call may throw a StoreProblem. */
export interface BlobStore {
  /** The contents' place, for people: the path of a folder, or `s3://bucket/prefix`. */
  readonly place: string;
  /**
   * Whether other machines hold the contents: the store may be down at the start, listing it takes time, and it detects
   * damage itself.
   */
  readonly isRemote: boolean;
  /**
   * Stores a stream and frees its chunks, which must not be read again. `inspect` gets the first bytes (at most 8 KiB)
   * and the address before the content becomes visible; its error is rethrown and nothing is stored. When the promise
   * resolves, the content is stored for good, and has replaced a possibly damaged one of the same address. Until `settle`
   * it counts as unreferenced.
   */
  put(content: Readable, inspect?: (head: Buffer, blob: StoredBlob) => Promise<void> | void): Promise<StoredBlob>;
  /** Marks the content as referenced: it must survive a crash. */
  settle(sha256: string): Promise<void>;
  /** Undefined for missing content. */
  open(sha256: string): Promise<OpenBlob | undefined>;
  /** Does nothing for missing content. */
  remove(sha256: string): Promise<void>;
  /**
   * Moves unexplained or damaged content aside instead of deleting it. False if it is missing, or so new in a shared
   * store that another instance may be about to refer to it.
   */
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
  /** Removes partial contents of killed processes of this data directory. Contents of running processes stay. */
  removeRemains(): Promise<void>;
}

const address = /^[0-9a-f]{64}$/;

export const isAddress = (name: string): boolean => address.test(name);

/** @throws Error for anything but an address, so that no other file or object is touched */
export function checkedAddress(sha256: string): string {
  if (!isAddress(sha256)) throw new Error("not a sha256");
  return sha256;
}

/** The path of a content below its folder or prefix: `<first two hex digits>/<sha256>`. */
export const blobName = (sha256: string): string => `${checkedAddress(sha256).slice(0, 2)}/${sha256}`;
