/** Bytes of a GGUF v3 header: typed metadata and tensor entries. Little-endian, strings with 64-bit lengths. */

const valueTypeIds = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, uint64: 10 } as const;
const arrayTypeId = 9;

export type ScalarType = keyof typeof valueTypeIds;
export type Scalar = number | boolean | string;
/** A key with its value; `type` is that of the items where `value` is an array. */
export interface MetadataEntry {
  readonly key: string;
  readonly type: ScalarType;
  readonly value: Scalar | readonly Scalar[];
}
export interface TensorEntry {
  readonly name: string;
  /** Fastest-moving dimension first, as GGUF has it. */
  readonly dims: readonly number[];
  readonly typeId: number;
  readonly offset: number;
}

export const alignment = 32;
export const padded = (bytes: number) => Math.ceil(bytes / alignment) * alignment;

function bytes(size: number, write: (view: DataView) => void): Buffer {
  const view = new DataView(new ArrayBuffer(size));
  write(view);
  return Buffer.from(view.buffer);
}

export const encodeU32 = (value: number) => bytes(4, (view) => view.setUint32(0, value, true));
export const encodeU64 = (value: number | bigint) => bytes(8, (view) => view.setBigUint64(0, BigInt(value), true));
export const encodeString = (text: string) => Buffer.concat([encodeU64(Buffer.byteLength(text)), Buffer.from(text)]);

function encodeScalar(type: ScalarType, value: Scalar): Buffer {
  switch (type) {
    case "string":
      return encodeString(String(value));
    case "bool":
      return Buffer.of(value === true ? 1 : 0);
    case "float32":
      return bytes(4, (view) => view.setFloat32(0, Number(value), true));
    case "int32":
      return bytes(4, (view) => view.setInt32(0, Number(value), true));
    case "uint32":
      return encodeU32(Number(value));
    case "uint64":
      return encodeU64(Number(value));
  }
}

export function encodeMetadata({ key, type, value }: MetadataEntry): Buffer {
  const typeId = valueTypeIds[type];
  if (typeof value !== "object")
    return Buffer.concat([encodeString(key), encodeU32(typeId), encodeScalar(type, value)]);
  const items = value.map((item) => encodeScalar(type, item));
  return Buffer.concat([
    encodeString(key),
    encodeU32(arrayTypeId),
    encodeU32(typeId),
    encodeU64(items.length),
    ...items,
  ]);
}

export const encodeTensor = ({ name, dims, typeId, offset }: TensorEntry) =>
  Buffer.concat([
    encodeString(name),
    encodeU32(dims.length),
    ...dims.map(encodeU64),
    encodeU32(typeId),
    encodeU64(offset),
  ]);

/** Everything before the tensors' data, padded to where it begins. */
export function encodeHeader(metadata: readonly MetadataEntry[], tensors: readonly TensorEntry[]): Buffer {
  const header = Buffer.concat([
    Buffer.from("GGUF"),
    encodeU32(3),
    encodeU64(tensors.length),
    encodeU64(metadata.length),
    ...metadata.map(encodeMetadata),
    ...tensors.map(encodeTensor),
  ]);
  return Buffer.concat([header, Buffer.alloc(padded(header.length) - header.length)]);
}
