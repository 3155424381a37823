/**
 * Reads the header of a GGUF file: metadata and the shapes of the tensors, never the weights. It trusts nothing: every
 * count is checked against the size of the file, so that a false header costs neither memory nor time.
 */
import { openFile, type Bounds } from "../../../../file-system/bounded-file.ts";
import { engineFault } from "./engine-fault.ts";
import { createFileWindow, TruncatedError, type FileWindow } from "./file-window.ts";
import { otherKind, type OtherKind } from "./other-kind.ts";
import { checkTensors, readTensor, type GgufTensor } from "./gguf-tensors.ts";
import {
  GgufError,
  ggufTypes,
  readArrayShape,
  readCount,
  readArrayItems,
  readString,
  readValue,
  type ArrayShape,
  type GgufValue,
} from "./gguf-values.ts";

export interface GgufHeader {
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensorCount: number;
  /** Weights of all tensors. */
  readonly parameterCount: number;
  /** Bytes before the tensors' data. */
  readonly headerBytes: number;
  /** The kind of a file that is no model. */
  readonly otherKind?: OtherKind;
  /** The reason why the engine cannot run the model, as far as the header shows one. */
  readonly fault?: string;
}

/** The largest vocabularies make headers of some ten megabytes. */
const maxHeaderBytes = 128 * 1024 * 1024;
const maxEntries = 100_000;
const maxTensors = 100_000;
const maxKeyBytes = 65_535;
const defaultAlignment = 32;

/** @throws GgufError for a file that begins otherwise than a GGUF of today */
async function checkVersion(window: FileWindow): Promise<void> {
  if (window.size < 24) throw new TruncatedError("the file is too short");
  if ((await window.take(4)).toString("latin1") !== "GGUF") throw new GgufError("not a GGUF file");
  const bytes = await window.take(4);
  const version = bytes.readUInt32LE();
  if (version === 2 || version === 3) return;
  if (bytes.readUInt32BE() <= 3)
    throw new GgufError("its numbers are big-endian (IBM Z): use the little-endian file for this machine");
  throw new GgufError(`GGUF version ${String(version)} is not supported; versions 2 and 3 are`);
}

async function readMetadata(window: FileWindow, count: number, keep: number) {
  const metadata = new Map<string, GgufValue>();
  const arrays = new Map<string, ArrayShape>();
  for (let i = 0; i < count; i++) {
    const key = await readString(window, maxKeyBytes);
    if (key === "") throw new GgufError("a key of its metadata is empty");
    if (metadata.has(key)) throw new GgufError(`the key ${JSON.stringify(key)} occurs twice`);
    const type = (await window.take(4)).readUInt32LE();
    if (type === ggufTypes.array) {
      const shape = await readArrayShape(window);
      arrays.set(key, shape);
      metadata.set(key, await readArrayItems(window, shape, keep));
    } else metadata.set(key, await readValue(window, type, keep));
  }
  return { metadata, arrays };
}

/** The multiple at which tensors begin. @throws GgufError */
function alignmentOf(metadata: ReadonlyMap<string, GgufValue>): number {
  const alignment = metadata.get("general.alignment") ?? defaultAlignment;
  if (typeof alignment === "number" && alignment > 0 && Number.isInteger(Math.log2(alignment))) return alignment;
  throw new GgufError(`general.alignment is ${JSON.stringify(alignment)} instead of a power of two, such as 32`);
}

async function readFrom(window: FileWindow, keep: number): Promise<GgufHeader> {
  await checkVersion(window);
  const tensorCount = await readCount(window, Math.min(maxTensors, window.size), "the number of tensors");
  const entryCount = await readCount(window, Math.min(maxEntries, window.size), "the number of metadata entries");
  const { metadata, arrays } = await readMetadata(window, entryCount, keep);
  const tensors: GgufTensor[] = [];
  for (let i = 0; i < tensorCount; i++) tensors.push(await readTensor(window));
  const alignment = alignmentOf(metadata);
  const headerBytes = Math.ceil(window.position() / alignment) * alignment;
  checkTensors(tensors, alignment, window.size - headerBytes);
  const parameterCount = tensors.reduce((sum, { parameters }) => sum + parameters, 0);
  if (!Number.isSafeInteger(parameterCount)) throw new GgufError("the number of weights is impossible");
  const kind = otherKind(metadata, tensorCount);
  const fault = kind === undefined ? engineFault({ metadata, arrays, tensors }) : undefined;
  return {
    metadata,
    tensorCount,
    parameterCount,
    headerBytes,
    ...(kind !== undefined && { otherKind: kind }),
    ...(fault !== undefined && { fault }),
  };
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
