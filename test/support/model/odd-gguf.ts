/**
 * GGUF files as people find them: of other kinds than a model, damaged, or with values that no engine can run. Each is a
 * sound model but for one thing.
 */
import {
  encodeHeader,
  encodeMetadata,
  encodeString,
  encodeU32,
  encodeU64,
  type MetadataEntry,
  type TensorEntry,
} from "./gguf-encoding.ts";
import { randomGgufBytes, randomGgufEntries } from "./random-gguf.ts";

export interface OddFile {
  readonly title: string;
  readonly bytes: Buffer;
  /** Words of the reason, and who gives it: the header alone, or the engine at the first load. */
  readonly reason: string;
  readonly by: "header" | "engine";
}

const { metadata, tensors } = randomGgufEntries();
const sound = randomGgufBytes();
const headerLength = encodeHeader(metadata, tensors).length;
const data = sound.subarray(headerLength);

const built = (entries: readonly MetadataEntry[], shapes: readonly TensorEntry[] = tensors) =>
  Buffer.concat([encodeHeader(entries, shapes), data]);

/** The sound model with other values under these keys; null for none. */
function withEntries(changes: Readonly<Record<string, Omit<MetadataEntry, "key"> | null>>): Buffer {
  const kept = metadata.filter(({ key }) => changes[key] === undefined);
  const added = Object.entries(changes).flatMap(([key, entry]) => (entry === null ? [] : [{ key, ...entry }]));
  return built([...kept, ...added]);
}
const without = (...keys: string[]) => withEntries(Object.fromEntries(keys.map((key) => [key, null])));
const text = (value: string) => ({ type: "string", value }) as const;
const count = (value: number) => ({ type: "uint32", value }) as const;
const float = (value: number) => ({ type: "float32", value }) as const;

const withTensor = (name: string, change: Partial<TensorEntry>) =>
  built(
    metadata,
    tensors.map((tensor) => (tensor.name === name ? { ...tensor, ...change } : tensor)),
  );
const patched = (at: number, bytes: Buffer) =>
  Buffer.concat([sound.subarray(0, at), bytes, sound.subarray(at + bytes.length)]);

export { built, count, data, encodeMetadata, encodeString, encodeU32, encodeU64, float, headerLength, metadata, patched, sound, tensors, text, withEntries, without, withTensor };
