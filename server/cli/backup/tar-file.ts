/** Tar archives (POSIX pax) in the form of a backup: plain files one after the other, not compressed. */
import type { FileHandle } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Header } from "tar/header";
import { Pax } from "tar/pax";

const blockBytes = 512;
const partBytes = 1 << 20;
/** Limits names and extra headers; Hearth writes no longer ones. */
const maxExtraBytes = 65_536;

const padded = (bytes: number) => Math.ceil(bytes / blockBytes) * blockBytes;

/** Writes an archive into an empty file. `now`: the time of its files. */
export function createTarWriter(file: FileHandle, now: Date) {
  let length = 0;
  return {
    /** Adds a file of this many bytes. If its chunks fail or have another length, the archive is unchanged. */
    async add(path: string, bytes: number, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
      let at = length;
      const write = async (data: Uint8Array) => {
        for (let done = 0; done < data.length;) {
          const { bytesWritten } = await file.write(data, done, data.length - done, at);
          done += bytesWritten;
          at += bytesWritten;
        }
      };
      const fields = { path, size: bytes, mode: 0o600, mtime: now, type: "File" } as const;
      const header = new Header(fields);
      const block = Buffer.alloc(blockBytes);
      if (header.encode(block)) await write(new Pax({ path, size: bytes }).encode());
      await write(block);
      const begin = at;
      for await (const chunk of chunks) await write(chunk);
      if (at - begin !== bytes) throw new Error(`${path} changed while it was read`);
      await write(Buffer.alloc(padded(bytes) - bytes));
      length = at;
    },
    /** Ends the archive; it is on the disk when the promise resolves. */
    async end(): Promise<void> {
      await file.truncate(length);
      await file.write(Buffer.alloc(2 * blockBytes), 0, 2 * blockBytes, length);
      await file.sync();
    },
  };
}
export type TarWriter = ReturnType<typeof createTarWriter>;

export interface TarEntry {
  readonly path: string;
  readonly bytes: number;
  /** The content; it must be read before the next entry is requested, or not at all. */
  readonly chunks: () => AsyncGenerator<Buffer>;
}

/** The bytes of a file from `from` on. @throws when the file ends too early */
export async function* fileChunks(file: FileHandle, from: number, bytes: number): AsyncGenerator<Buffer> {
  for (let at = from; at < from + bytes;) {
    const wanted = Math.min(partBytes, from + bytes - at);
    const part = Buffer.allocUnsafe(wanted);
    const { bytesRead } = await file.read(part, 0, wanted, at);
    if (bytesRead === 0) throw new Error("the file ends too early");
    yield part.subarray(0, bytesRead);
    at += bytesRead;
  }
}

const readAll = (file: FileHandle, from: number, bytes: number) => buffer(fileChunks(file, from, bytes));

function readHeader(block: Buffer): Header {
  try {
    const header = new Header(block);
    if (header.nullBlock || header.cksumValid) return header;
  } catch {
    // An invalid number.
  }
  throw new Error("the file is damaged or not a tar archive");
}

/** An extra header for a name or size that the file's own header cannot hold. */
const namedIn = (extra: Pax | undefined) => ({
  ...(extra?.path !== undefined && { path: extra.path }),
  ...(extra?.size !== undefined && { size: extra.size }),
});

/**
 * The files of an archive, in order. @throws Error for an invalid or truncated archive, or one with links and the like
 */
export async function* readTar(file: FileHandle): AsyncGenerator<TarEntry> {
  let extra: Pax | undefined;
  for (let at = 0; ;) {
    const header = readHeader(await readAll(file, at, blockBytes));
    if (header.nullBlock) return;
    const { path = "", size: bytes = 0 } = { ...header, ...namedIn(extra) };
    at += blockBytes;
    if (header.type === "ExtendedHeader") {
      if (bytes > maxExtraBytes) throw new Error("the name of a file in it is too long");
      extra = Pax.parse((await readAll(file, at, bytes)).toString("utf8"));
    } else if (header.type === "File") {
      const begin = at;
      yield { path, bytes, chunks: () => fileChunks(file, begin, bytes) };
      extra = undefined;
    } else throw new Error(`${path} is not a plain file`);
    at += padded(bytes);
  }
}
