/**
 * Reads the header of a GGUF file: metadata and the shapes of the tensors, never the weights. It trusts nothing: every
 * count is checked against the size of the file, so that a false header costs neither memory nor time.
 * Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
import { openFile, type Bounds } from "../../../../file-system/bounded-file.ts";
import { createFileWindow, TruncatedError, type FileWindow } from "./file-window.ts";
import { tensorBytes } from "./tensor-types.ts";

export type GgufValue = string | number | boolean | GgufValue[];

export interface GgufHeader {
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensorCount: number;
  /** Weights of all tensors. */
  readonly parameterCount: number;
  /** Bytes before the tensors' data. */
  readonly headerBytes: number;
}

/** The file is no GGUF, or a damaged one; the message has the reason. */
export class GgufError extends Error {
  override readonly name = "GgufError";
}

/** The largest vocabularies make headers of some ten megabytes. */
const maxHeaderBytes = 128 * 1024 * 1024;
const maxEntries = 100_000;
const maxTensors = 1_000_000;
const maxKeyBytes = 65_535;
/** The longest string that is kept. Chat templates have some ten kilobytes. */
const maxStringBytes = 4 * 1024 * 1024;
const maxDepth = 3;
const maxDimensions = 8;
const defaultAlignment = 32;

const stringType = 8;
const arrayType = 9;

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

function countIn(bytes: Buffer, limit: number, what: string): number {
  const count = bytes.readUInt32LE(4) * 2 ** 32 + bytes.readUInt32LE(0);
  if (count > limit) throw new GgufError(`${what} is ${String(count)}, which cannot be`);
  return count;
}

/** A 64-bit count that must be at most `limit`. */
const readCount = async (window: FileWindow, limit: number, what: string) => countIn(await window.take(8), limit, what);

async function readString(window: FileWindow, limit = maxStringBytes): Promise<string> {
  const length = await readCount(window, Math.min(limit, window.size), "a string's length");
  return (await window.take(length)).toString("utf8");
}

async function skipStrings(window: FileWindow, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const length = window.takeBuffered(8) ?? (await window.take(8));
    window.skip(countIn(length, window.size, "a string's length"));
  }
}

/** Reads an array. One with more than `keep` items is skipped and returned empty. */
async function readArray(window: FileWindow, keep: number, depth: number): Promise<GgufValue[]> {
  const type = (await window.take(4)).readUInt32LE();
  const fixed = fixedTypes[type];
  // The least size of an item: the length of a string, type and length of an array.
  const leastBytes = fixed?.bytes ?? (type === arrayType ? 12 : 8);
  const count = await readCount(window, Math.floor(window.size / leastBytes), "an array's length");
  const items: GgufValue[] = [];
  if (fixed !== undefined && count > keep) {
    window.skip(count * fixed.bytes);
    return items;
  }
  if (type === stringType && count > keep) {
    await skipStrings(window, count);
    return items;
  }
  for (let i = 0; i < count; i++) {
    const item = await readValue(window, type, keep, depth);
    if (count <= keep) items.push(item);
  }
  return items;
}

async function readValue(window: FileWindow, type: number, keep: number, depth = 0): Promise<GgufValue> {
  const fixed = fixedTypes[type];
  if (fixed !== undefined) return fixed.read(await window.take(fixed.bytes));
  if (type === stringType) return readString(window);
  if (type !== arrayType) throw new GgufError(`unknown value type ${String(type)}`);
  if (depth >= maxDepth) throw new GgufError("arrays are nested too deeply");
  return readArray(window, keep, depth + 1);
}

interface TensorShape {
  readonly parameters: number;
  /** The end of its data, relative to the start of all tensor data. */
  readonly end: number;
}

async function readTensor(window: FileWindow): Promise<TensorShape> {
  await readString(window, maxKeyBytes);
  const dimensions = (await window.take(4)).readUInt32LE();
  if (dimensions > maxDimensions) throw new GgufError(`a tensor has ${String(dimensions)} dimensions`);
  let parameters = 1;
  for (let i = 0; i < dimensions; i++) parameters *= await readCount(window, 2 ** 40, "a tensor's size");
  const type = (await window.take(4)).readUInt32LE();
  const offset = await readCount(window, window.size, "a tensor's offset");
  const end = offset + tensorBytes(type, parameters);
  if (end > window.size) throw new TruncatedError("the file ends within its tensors");
  return { parameters, end };
}

async function readFrom(window: FileWindow, keep: number): Promise<GgufHeader> {
  if (window.size < 24) throw new TruncatedError("the file is too short");
  if ((await window.take(4)).toString("latin1") !== "GGUF") throw new GgufError("not a GGUF file");
  const version = (await window.take(4)).readUInt32LE();
  if (version !== 2 && version !== 3) throw new GgufError(`GGUF version ${String(version)} is not supported`);
  const tensorCount = await readCount(window, Math.min(maxTensors, window.size), "the number of tensors");
  const entryCount = await readCount(window, Math.min(maxEntries, window.size), "the number of metadata entries");

  const metadata = new Map<string, GgufValue>();
  for (let i = 0; i < entryCount; i++) {
    const key = await readString(window, maxKeyBytes);
    const type = (await window.take(4)).readUInt32LE();
    metadata.set(key, await readValue(window, type, keep));
  }
  let parameterCount = 0;
  let dataBytes = 0;
  for (let i = 0; i < tensorCount; i++) {
    const tensor = await readTensor(window);
    parameterCount += tensor.parameters;
    dataBytes = Math.max(dataBytes, tensor.end);
  }
  const alignment = metadata.get("general.alignment");
  const step = typeof alignment === "number" && alignment > 0 ? alignment : defaultAlignment;
  const headerBytes = Math.ceil(window.position() / step) * step;
  if (headerBytes + dataBytes > window.size) throw new TruncatedError("the file ends within its tensors");
  if (!Number.isSafeInteger(parameterCount)) throw new GgufError("the tensors have more weights than can be");
  return { metadata, tensorCount, parameterCount, headerBytes };
}

/**
 * The header of the file. Arrays of more than `keepItems` items are returned empty.
 * @throws GgufError, TruncatedError or RangeError for a file that is not a sound GGUF; the system's error when it
 * cannot be read.
 */
export async function readGgufHeader(path: string, keepItems = 5, bounds?: Bounds): Promise<GgufHeader> {
  await using file = await openFile(path, bounds);
  const { size } = await file.stat();
  return await readFrom(createFileWindow(file, size, maxHeaderBytes), keepItems);
}
