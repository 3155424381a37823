import { createHash } from "node:crypto";
import type { StoredBlob } from "./blob-store.ts";

const headBytes = 8192;

export interface StreamDigest {
  /** Takes the next chunk into account. */
  readonly see: (chunk: Buffer) => void;
  /** The first bytes, at most 8 KiB. */
  head(): Buffer;
  /** Hash and size of all chunks so far. Must be called only once. */
  end(): StoredBlob;
}

/** Hash, size and beginning of a stream as it passes. */
export function createStreamDigest(): StreamDigest {
  const hash = createHash("sha256");
  let size = 0;
  let head = Buffer.alloc(0);
  return {
    see(chunk) {
      hash.update(chunk);
      size += chunk.length;
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
    },
    head: () => head,
    end: () => ({ sha256: hash.digest("hex"), size }),
  };
}

/**
 * Frees the memory of chunks with a buffer of their own. It lies outside of the heap, and each 64 MB that wait for
 * garbage collection cause a pass over the whole heap.
 */
export function freeBuffers(chunks: readonly Buffer[]): void {
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
