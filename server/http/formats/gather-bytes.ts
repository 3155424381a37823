/** From this size on, bytes are gathered in one buffer, which can be freed at once. */
const pieceFrom = 256 * 1024;

/**
 * Gathers the chunks of a body. Thousands of small chunks would stay in memory until a garbage collection, which an
 * idle process does not run, and would leave the heap fragmented.
 * @param expected the number of bytes, if known; memory is allocated as they come
 */
export function gatherBytes(expected: number) {
  let chunks: Buffer[] = [];
  let piece: Buffer | undefined;
  let size = 0;

  function makeRoom(needed: number): Buffer {
    if (piece && needed <= piece.length) return piece;
    const roomy = 2 * needed;
    const grown = Buffer.allocUnsafeSlow(expected >= needed ? Math.min(roomy, expected) : roomy);
    if (piece) {
      piece.copy(grown, 0, 0, size);
      freeBuffer(piece);
    } else {
      let at = 0;
      for (const chunk of chunks) at += chunk.copy(grown, at);
      chunks = [];
    }
    return (piece = grown);
  }

  return {
    /** Bytes so far. */
    size: () => size,
    add(chunk: Buffer): void {
      if (size + chunk.length < pieceFrom) chunks.push(chunk);
      else makeRoom(size + chunk.length).set(chunk, size);
      size += chunk.length;
    },
    /** All bytes. */
    whole(): Buffer {
      if (piece) return piece.subarray(0, size);
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
    },
    /** Drops the bytes; their memory is free at once. */
    drop(): void {
      if (piece) freeBuffer(piece);
      [chunks, piece, size] = [[], undefined, 0];
    },
  };
}

/**
 * Frees the memory of a large body at once, not at the next garbage collection. Its bytes must not be used any more.
 */
export function freeBuffer(bytes: Buffer): void {
  // A small buffer may share its memory with others.
  if (bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength >= pieceFrom) bytes.buffer.transfer(0);
}
