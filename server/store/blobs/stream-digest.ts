import { createHash } from "node:crypto";
import type { StoredBlob } from "./blob-store.ts";

const headBytes = 8192;

/** Hash, size and beginning of a stream as it passes. */
export function createStreamDigest() {
  const hash = createHash("sha256");
  let size = 0;
  let head = Buffer.alloc(0);
  return {
    /** Takes the next chunk into account. */
    see(this: void, chunk: Buffer): void {
      hash.update(chunk);
      size += chunk.length;
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
    },
    /** The first bytes, at most 8 KiB. */
    head: (): Buffer => head,
    /** Hash and size of all chunks so far. Must be called only once. */
    end: (): StoredBlob => ({ sha256: hash.digest("hex"), size }),
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
