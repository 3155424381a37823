/** From so many bytes on they are gathered in one piece, which can be given back at once. */
const pieceFrom = 256 * 1024;

export interface GatheredBytes {
  /** Bytes until now. */
  readonly size: () => number;
  add(chunk: Buffer): void;
  /** All of them. */
  whole(): Buffer;
  /** Forgets them; their memory is free at once. */
  drop(): void;
}

/**
 * Gathers the chunks of a body. Thousands of small chunks would stay in memory until a collection, which a process does not make
 * that has nothing to do, and would leave holes in it that the system never gets back.
 * @param expected how many bytes will come, if that is known; the room for them is made as they come
 */
export function gatherBytes(expected: number): GatheredBytes {
  let chunks: Buffer[] = [];
  let piece: Buffer | undefined;
  let size = 0;

  function makeRoom(needed: number): Buffer {
    if (piece && needed <= piece.length) return piece;
    const roomy = 2 * needed;
    const grown = Buffer.allocUnsafeSlow(expected >= needed ? Math.min(roomy, expected) : roomy);
    if (piece) {
      piece.copy(grown, 0, 0, size);
      giveBack(piece);
    } else {
      let at = 0;
      for (const chunk of chunks) at += chunk.copy(grown, at);
      chunks = [];
    }
    return (piece = grown);
  }

  return {
    size: () => size,
    add(chunk) {
      if (size + chunk.length < pieceFrom) chunks.push(chunk);
      else makeRoom(size + chunk.length).set(chunk, size);
      size += chunk.length;
    },
    whole() {
      if (piece) return piece.subarray(0, size);
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
    },
    drop() {
      if (piece) giveBack(piece);
      [chunks, piece, size] = [[], undefined, 0];
    },
  };
}

/** Frees the memory of a large body now instead of at the next collection. Nobody may look at its bytes any more. */
export function giveBack(bytes: Buffer): void {
  // A small one may be a part of what others use.
  if (bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength >= pieceFrom) bytes.buffer.transfer(0);
}
