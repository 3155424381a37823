/**
 * The file of a kept state: the engine's own file with an HMAC-SHA-256 at its end. The engine ignores bytes after its own, so it
 * reads the file in place. The code also covers the identity of the state: the format, the engine, the model and the settings of
 * its context. A reader computes that identity itself, so nothing in the file is parsed before the code is checked.
 */
import { createHmac, timingSafeEqual, webcrypto } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";

export interface Seal {
  /** Secret of this installation. */
  readonly key: Buffer;
  /** SHA-256 of everything that the state depends on. */
  readonly identity: Buffer;
}

const sealBytes = 32;
const chunkBytes = 1024 * 1024;

/** Reads until the buffer is full. @throws Error at the end of the file */
async function readFully(file: FileHandle, buffer: Buffer, at: number): Promise<void> {
  for (let read = 0, more = 1; read < buffer.length; read += more) {
    ({ bytesRead: more } = await file.read(buffer, read, buffer.length - read, at + read));
    if (more === 0) throw new Error("the file is shorter than it was");
  }
}

/** Chunks are hashed on another thread, because generations of other models must not wait for a large state. */
async function sealOf(file: FileHandle, bytes: number, { key, identity }: Seal): Promise<Buffer> {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes));
  const code = createHmac("sha256", key).update(identity).update(length);
  const buffer = Buffer.alloc(Math.min(bytes, chunkBytes));
  for (let at = 0; at < bytes; at += chunkBytes) {
    const chunk = buffer.subarray(0, Math.min(chunkBytes, bytes - at));
    await readFully(file, chunk, at);
    code.update(new Uint8Array(await webcrypto.subtle.digest("SHA-256", chunk)));
  }
  return code.digest();
}

/** Appends the code to a file that the engine has written. */
export async function sealState(path: string, seal: Seal): Promise<void> {
  await using file = await open(path, "r+");
  const { size } = await file.stat();
  await file.write(await sealOf(file, size, seal), 0, sealBytes, size);
}

/** Whether this installation wrote the whole file, for this identity. @throws the system's error */
export async function isSealed(path: string, seal: Seal): Promise<boolean> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  if (size < sealBytes) return false;
  const there = Buffer.alloc(sealBytes);
  await readFully(file, there, size - sealBytes);
  return timingSafeEqual(there, await sealOf(file, size - sealBytes, seal));
}

/** The engine's file begins with its mark, its version and the number of tokens, four bytes each. */
const headBytes = 12;
const tokenBytes = 4;

/**
 * The tokens of a state, at most `most` of them, which are a hint until the code is checked. Undefined for a file that is no state.
 * @throws the system's error
 */
export async function readStateTokens(path: string, most: number): Promise<Int32Array | undefined> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  if (size < headBytes) return undefined;
  const head = Buffer.alloc(headBytes);
  await readFully(file, head, 0);
  const count = head.readUInt32LE(8);
  if (count > most || headBytes + count * tokenBytes > size) return undefined;
  const bytes = Buffer.alloc(count * tokenBytes);
  await readFully(file, bytes, headBytes);
  return Int32Array.from({ length: count }, (_, index) => bytes.readInt32LE(index * tokenBytes));
}
