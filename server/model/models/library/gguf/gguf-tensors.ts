/** Reads the tensors in a GGUF header, and checks them as the engine does: one wrong tensor, and it loads nothing. */
import { TruncatedError, type FileWindow } from "./file-window.ts";
import { GgufError, readCount, readString } from "./gguf-values.ts";
import { blockOf } from "./tensor-types.ts";

export interface GgufTensor {
  readonly name: string;
  /** Fastest-moving dimension first. */
  readonly dims: readonly number[];
  /** The number of weights. */
  readonly parameters: number;
  readonly type: number;
  /** Bytes from the start of all tensor data. */
  readonly offset: number;
}

/** Limits of the engine (GGML_MAX_NAME, GGML_MAX_DIMS). */
const maxNameBytes = 63;
const maxDimensions = 4;

const refuse = (name: string, text: string) => new GgufError(`the tensor ${JSON.stringify(name)} ${text}`);

/** @throws GgufError, TruncatedError */
export async function readTensor(window: FileWindow): Promise<GgufTensor> {
  const name = await readString(window, maxNameBytes);
  const dimensions = (await window.take(4)).readUInt32LE();
  if (dimensions > maxDimensions)
    throw refuse(name, `has ${String(dimensions)} dimensions; the engine supports ${String(maxDimensions)}`);
  const dims: number[] = [];
  for (let i = 0; i < dimensions; i++) dims.push(await readCount(window, 2 ** 40, "a tensor's size"));
  const type = (await window.take(4)).readUInt32LE();
  const offset = await readCount(window, window.size, "a tensor's offset");
  return { name, dims, parameters: dims.reduce((product, size) => product * size, 1), type, offset };
}

/** The bytes of the tensor's data. @throws GgufError */
function bytesOf({ name, dims, parameters, type }: GgufTensor): number {
  const block = blockOf(type);
  if (block === undefined)
    throw refuse(name, `has the type ${String(type)}, which the engine does not support: use another quantization`);
  const [row = 1] = dims;
  if (dims.includes(0)) throw refuse(name, `has the shape ${dims.join(" × ")}`);
  if (row % block.values !== 0)
    throw refuse(name, `has rows of ${String(row)} values, which its blocks of ${String(block.values)} do not divide`);
  return (parameters / block.values) * block.bytes;
}

/**
 * Checks that the tensors lie one after another in the file, each from a multiple of `alignment` on.
 * @param available bytes of the file after its header
 * @throws GgufError, TruncatedError
 */
export function checkTensors(tensors: readonly GgufTensor[], alignment: number, available: number): void {
  const names = new Set<string>();
  let end = 0;
  for (const tensor of tensors) {
    const { name, offset } = tensor;
    if (names.has(name)) throw refuse(name, "occurs twice");
    names.add(name);
    const bytes = bytesOf(tensor);
    if (offset + bytes > available) throw new TruncatedError(`the file ends within its tensors (${name})`);
    const start = Math.ceil(end / alignment) * alignment;
    if (offset !== start)
      throw refuse(name, `begins at byte ${String(offset)} of the data instead of ${String(start)}`);
    end = offset + bytes;
  }
}
