/** Reads a file sequentially through a small buffer; skipped parts are never read. */
import type { FileHandle } from "node:fs/promises";

/** The file ends before the length in its header. */
export class TruncatedError extends Error {
  override readonly name = "TruncatedError";
}

const bufferBytes = 65_536;

export interface FileWindow {
  readonly size: number;
  /** Bytes from the file's start. */
  position(): number;
  /** The next `count` bytes, valid until the next call. @throws TruncatedError, RangeError */
  take(count: number): Promise<Buffer>;
  /** As `read`, if they are in the buffer already, else undefined: a header has a hundred thousand small reads. */
  takeBuffered(count: number): Buffer | undefined;
  /** @throws TruncatedError, RangeError */
  skip(count: number): void;
}

/** `limit`: reading past this many bytes is an error, whatever the file's size. */
export function createFileWindow(file: FileHandle, size: number, limit = size): FileWindow {
  let buffer = Buffer.alloc(bufferBytes);
  /** The buffer's offset in the file, the number of filled bytes, and the next byte to return. */
  let start = 0;
  let filled = 0;
  let next = 0;

  const mustHave = (count: number) => {
    if (count > size - (start + next)) throw new TruncatedError("the file ends within its header");
    if (count > limit - (start + next)) throw new RangeError(`the header is longer than ${String(limit)} bytes`);
  };

  async function fill(count: number): Promise<void> {
    if (count > buffer.length) buffer = Buffer.alloc(count);
    start += next;
    next = 0;
    filled = 0;
    while (filled < count) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, start + filled);
      if (bytesRead === 0) throw new TruncatedError("the file ends within its header");
      filled += bytesRead;
    }
  }

  return {
    size,
    position: () => start + next,
    async take(count) {
      mustHave(count);
      if (count > filled - next) await fill(count);
      next += count;
      return buffer.subarray(next - count, next);
    },
    takeBuffered(count) {
      if (count > filled - next) return undefined;
      mustHave(count);
      next += count;
      return buffer.subarray(next - count, next);
    },
    skip(count) {
      mustHave(count);
      if (count <= filled - next) {
        next += count;
        return;
      }
      start += next + count;
      next = 0;
      filled = 0;
    },
  };
}
