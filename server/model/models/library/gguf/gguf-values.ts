/** Reads the values of a GGUF header. Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
import type { FileWindow } from "./file-window.ts";

export type GgufValue = string | number | boolean | GgufValue[];

/** The file is no GGUF, or a damaged one; the message has the reason. */
export class GgufError extends Error {
  override readonly name = "GgufError";
}

/** The file is a sound GGUF, but no model; the message says what it is. */
export class OtherKindError extends GgufError {}

/** The longest string that is kept. Chat templates have some ten kilobytes. */
const maxStringBytes = 4 * 1024 * 1024;
const maxDepth = 3;

export const ggufTypes = { uint32: 4, int32: 5, float32: 6, string: 8, array: 9, float64: 12 } as const;

/** Size and reader of the types with a fixed size, by type number. */
const fixedTypes: Readonly<Record<number, { bytes: number; read: (from: Buffer) => number | boolean }>> = {
  0: { bytes: 1, read: (from) => from.readUInt8() },
  1: { bytes: 1, read: (from) => from.readInt8() },
  2: { bytes: 2, read: (from) => from.readUInt16LE() },
  3: { bytes: 2, read: (from) => from.readInt16LE() },
  4: { bytes: 4, read: (from) => from.readUInt32LE() },
  5: { bytes: 4, read: (from) => from.readInt32LE() },
  // A 32-bit float has seven significant digits: 1e-5 instead of 0.000009999999747378752.
  6: { bytes: 4, read: (from) => Number(from.readFloatLE().toPrecision(7)) },
  7: { bytes: 1, read: (from) => from.readUInt8() !== 0 },
  10: { bytes: 8, read: (from) => Number(from.readBigUInt64LE()) },
  11: { bytes: 8, read: (from) => Number(from.readBigInt64LE()) },
  12: { bytes: 8, read: (from) => from.readDoubleLE() },
};

/** An array's type and length, which are known although a long one is not kept. */
export interface ArrayShape {
  readonly type: number;
  readonly length: number;
}

function countIn(bytes: Buffer, limit: number, what: string): number {
  const count = bytes.readUInt32LE(4) * 2 ** 32 + bytes.readUInt32LE(0);
  if (count > limit) throw new GgufError(`${what} is ${String(count)}, more than the file can hold`);
  return count;
}

/** A 64-bit count that must be at most `limit`. */
export const readCount = async (window: FileWindow, limit: number, what: string) =>
  countIn(await window.take(8), limit, what);

export async function readString(window: FileWindow, limit = maxStringBytes): Promise<string> {
  const length = await readCount(window, Math.min(limit, window.size), "a string's length");
  return (await window.take(length)).toString("utf8");
}

async function skipStrings(window: FileWindow, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const length = window.takeBuffered(8) ?? (await window.take(8));
    window.skip(countIn(length, window.size, "a string's length"));
  }
}

/** The item type and length of the array that begins here. */
export async function readArrayShape(window: FileWindow): Promise<ArrayShape> {
  const type = (await window.take(4)).readUInt32LE();
  // The least size of an item: the length of a string, type and length of an array.
  const leastBytes = fixedTypes[type]?.bytes ?? (type === ggufTypes.array ? 12 : 8);
  return { type, length: await readCount(window, Math.floor(window.size / leastBytes), "an array's length") };
}

/** Reads an array's items. One with more than `keep` items is skipped and returned empty. */
export async function readArrayItems(
  window: FileWindow,
  { type, length }: ArrayShape,
  keep: number,
  depth = 1,
): Promise<GgufValue[]> {
  const fixed = fixedTypes[type];
  const items: GgufValue[] = [];
  if (fixed !== undefined && length > keep) {
    window.skip(length * fixed.bytes);
    return items;
  }
  if (type === ggufTypes.string && length > keep) {
    await skipStrings(window, length);
    return items;
  }
  for (let i = 0; i < length; i++) {
    const item = await readValue(window, type, keep, depth);
    if (length <= keep) items.push(item);
  }
  return items;
}

export async function readValue(window: FileWindow, type: number, keep: number, depth = 0): Promise<GgufValue> {
  const fixed = fixedTypes[type];
  if (fixed !== undefined) return fixed.read(await window.take(fixed.bytes));
  if (type === ggufTypes.string) return readString(window);
  if (type !== ggufTypes.array) throw new GgufError(`unknown value type ${String(type)}`);
  if (depth >= maxDepth) throw new GgufError("arrays are nested too deeply");
  return readArrayItems(window, await readArrayShape(window), keep, depth + 1);
}
