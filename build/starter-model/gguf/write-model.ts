/** Writes what was trained as a GGUF file of llama's architecture. */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeHeader, padded, type MetadataEntry } from "../../../test/support/model/gguf-encoding.ts";
import { padId, pieceKinds, startId, turnEnd, unknownId, type Vocabulary } from "../tokenizer/vocabulary.ts";
import { quantize } from "./quantize.ts";

export interface Shape {
  readonly vocabulary: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  readonly key_heads: number;
  readonly feed_forward: number;
  readonly context: number;
}

const typeIds = { f32: 0, q8_0: 8 } as const;
const mostlyQ8 = 7;

const text = (key: string, value: string): MetadataEntry => ({ key, type: "string", value });
const count = (key: string, value: number): MetadataEntry => ({ key, type: "uint32", value });
const real = (key: string, value: number): MetadataEntry => ({ key, type: "float32", value });
const no = (key: string): MetadataEntry => ({ key, type: "bool", value: false });

const chatTemplate = () => readFileSync(join(import.meta.dirname, "chat-template.jinja"), "utf8").trimEnd();

function metadataOf(shape: Shape, vocabulary: Vocabulary, version: string): MetadataEntry[] {
  const end = vocabulary.findIndex((piece) => piece.text === turnEnd);
  return [
    text("general.architecture", "llama"),
    text("general.type", "model"),
    text("general.name", "Hearth Starter"),
    text("general.author", "Hearth"),
    text("general.version", version),
    text("general.license", "mit"),
    text("general.description", "A small model that knows Hearth's interface and small talk, in English and Chinese."),
    { key: "general.languages", type: "string", value: ["en", "zh"] },
    count("general.file_type", mostlyQ8),
    count("general.quantization_version", 2),
    count("llama.vocab_size", vocabulary.length),
    count("llama.context_length", shape.context),
    count("llama.embedding_length", shape.width),
    count("llama.block_count", shape.layers),
    count("llama.feed_forward_length", shape.feed_forward),
    count("llama.attention.head_count", shape.heads),
    count("llama.attention.head_count_kv", shape.key_heads),
    real("llama.attention.layer_norm_rms_epsilon", 1e-5),
    count("llama.rope.dimension_count", shape.width / shape.heads),
    real("llama.rope.freq_base", 10_000),
    text("tokenizer.ggml.model", "llama"),
    text("tokenizer.ggml.pre", "default"),
    { key: "tokenizer.ggml.tokens", type: "string", value: vocabulary.map((piece) => piece.text) },
    { key: "tokenizer.ggml.scores", type: "float32", value: vocabulary.map((piece) => piece.score) },
    { key: "tokenizer.ggml.token_type", type: "int32", value: vocabulary.map((piece) => pieceKinds[piece.kind]) },
    count("tokenizer.ggml.bos_token_id", startId),
    count("tokenizer.ggml.eos_token_id", end),
    count("tokenizer.ggml.eot_token_id", end),
    count("tokenizer.ggml.unknown_token_id", unknownId),
    count("tokenizer.ggml.padding_token_id", padId),
    no("tokenizer.ggml.add_bos_token"),
    no("tokenizer.ggml.add_eos_token"),
    no("tokenizer.ggml.add_space_prefix"),
    text("tokenizer.chat_template", chatTemplate()),
  ];
}

interface Weight {
  readonly name: string;
  readonly shape: readonly number[];
}

/** The weights that training has written: names and shapes, and the values of all of them one after another. */
function readWeights(folder: string): { name: string; dims: number[]; data: Buffer; typeId: number }[] {
  const listed = JSON.parse(readFileSync(join(folder, "weights.json"), "utf8")) as Weight[];
  const bytes = readFileSync(join(folder, "weights.bin"));
  let at = 0;
  return listed.map(({ name, shape }) => {
    const length = shape.reduce((product, size) => product * size, 1) * 4;
    const part = bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + length);
    at += length;
    const isMatrix = shape.length > 1;
    const data = isMatrix ? quantize(new Float32Array(part)) : Buffer.from(part);
    return { name, dims: shape.toReversed(), data, typeId: isMatrix ? typeIds.q8_0 : typeIds.f32 };
  });
}

export const shapeOf = (folder: string) => JSON.parse(readFileSync(join(folder, "shape.json"), "utf8")) as Shape;

/**
 * Writes the model of a work folder: matrices in Q8_0, norms as they are.
 * @returns the bytes that it has
 */
export function writeModel(folder: string, vocabulary: Vocabulary, file: string, version: string): number {
  const shape = shapeOf(folder);
  const weights = readWeights(folder);
  let offset = 0;
  const tensors = weights.map(({ name, dims, data, typeId }) => {
    const tensor = { name, dims, typeId, offset };
    offset += padded(data.length);
    return tensor;
  });
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.part`;
  const out = openSync(part, "w");
  writeSync(out, encodeHeader(metadataOf(shape, vocabulary, version), tensors));
  for (const { data } of weights) {
    writeSync(out, data);
    writeSync(out, Buffer.alloc(padded(data.length) - data.length));
  }
  closeSync(out);
  renameSync(part, file);
  return statSync(file).size;
}
