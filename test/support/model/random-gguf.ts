/**
 * Writes GGUF models with random weights: they talk nonsense, but load and run exactly as a trained model of the same
 * shape and type. For tests (the default has 0.7 MB) and for benchmarks: 22 layers, width 2048, 32 heads and 4 of keys and
 * values, feed-forward 5632, vocabulary 32,000 in q4_0 are 1.1 billion weights in 620 MB, written in two seconds.
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { circleOutput, type Follower } from "./circle-weights.ts";
import { encodeHeader, padded, type MetadataEntry, type TensorEntry } from "./gguf-encoding.ts";
import { createVocabulary, specialIds, type Vocabulary } from "./random-vocabulary.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { seededBits, weightFormats, type Random, type WeightType } from "./random-weights.ts";

interface ModelShape {
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly feedForward: number;
  readonly trainContext: number;
  readonly vocabulary: number;
  readonly type: WeightType;
}

const tinyShape: ModelShape = {
  layers: 2,
  width: 64,
  heads: 4,
  kvHeads: 2,
  feedForward: 128,
  trainContext: 2048,
  vocabulary: 768,
  type: "f32",
};
export interface RandomGgufOptions extends Partial<ModelShape> {
  readonly seed?: number;
  readonly name?: string;
  /** The Jinja chat template; null for a model without one. Default: ChatML. */
  readonly chatTemplate?: string | null;
  /** Lets single bytes be generated too, so that the output holds broken and complete multi-byte characters. */
  readonly emitBytes?: boolean;
  /** Makes a model that repeats itself: each token is likely to be followed by the next one of a circle of so many. */
  readonly circle?: number;
  /** Of a model that repeats itself: tokens that others follow for certain. */
  readonly followers?: readonly Follower[];
  /** More metadata, or others under the same keys. */
  readonly extraMetadata?: readonly MetadataEntry[];
}

const chatMl =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

interface TensorPlan {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: WeightType;
  /** Standard deviation of the weights; "ones" for the norms. */
  readonly deviation: number | "ones";
  /** Rows at the start that are zero. */
  readonly mutedRows: number;
}

const entry = (key: string, type: MetadataEntry["type"], value: MetadataEntry["value"]): MetadataEntry => ({
  key,
  type,
  value,
});

function metadataOf(shape: ModelShape, vocabulary: Vocabulary, options: RandomGgufOptions): MetadataEntry[] {
  const template = options.chatTemplate === undefined ? chatMl : options.chatTemplate;
  const entries = [
    entry("general.architecture", "string", "llama"),
    entry("general.name", "string", options.name ?? "Random"),
    entry("general.file_type", "uint32", weightFormats[shape.type].fileType),
    entry("general.quantization_version", "uint32", 2),
    entry("llama.block_count", "uint32", shape.layers),
    entry("llama.context_length", "uint32", shape.trainContext),
    entry("llama.embedding_length", "uint32", shape.width),
    entry("llama.feed_forward_length", "uint32", shape.feedForward),
    entry("llama.attention.head_count", "uint32", shape.heads),
    entry("llama.attention.head_count_kv", "uint32", shape.kvHeads),
    entry("llama.attention.layer_norm_rms_epsilon", "float32", 1e-5),
    entry("llama.rope.dimension_count", "uint32", shape.width / shape.heads),
    entry("llama.rope.freq_base", "float32", 10_000),
    entry("llama.vocab_size", "uint32", shape.vocabulary),
    entry("tokenizer.ggml.model", "string", "llama"),
    entry("tokenizer.ggml.tokens", "string", vocabulary.texts),
    entry("tokenizer.ggml.scores", "float32", vocabulary.scores),
    entry("tokenizer.ggml.token_type", "int32", vocabulary.types),
    entry("tokenizer.ggml.unknown_token_id", "uint32", specialIds.unknown),
    entry("tokenizer.ggml.bos_token_id", "uint32", specialIds.begin),
    entry("tokenizer.ggml.eos_token_id", "uint32", specialIds.end),
    entry("tokenizer.ggml.eot_token_id", "uint32", specialIds.turnEnd),
    entry("tokenizer.ggml.add_bos_token", "bool", true),
    entry("tokenizer.ggml.add_eos_token", "bool", false),
    entry("tokenizer.ggml.add_space_prefix", "bool", true),
    ...(template === null ? [] : [entry("tokenizer.chat_template", "string", template)]),
    ...(options.extraMetadata ?? []),
  ];
  return [...new Map(entries.map((made) => [made.key, made])).values()];
}

/**
 * Deviations keep activations near one at any depth: one over the root of the inputs, less where a block adds to the
 * stream that runs through all layers. Output rows of the special tokens are zero: greedy sampling then never picks
 * one, so no run ends by chance and the text stays readable.
 */
function planTensors(shape: ModelShape, mutedRows: number): TensorPlan[] {
  const kvWidth = (shape.width / shape.heads) * shape.kvHeads;
  const intoStream = 1 / Math.sqrt(2 * shape.layers);
  const norm = (name: string): TensorPlan => ({
    name,
    dims: [shape.width],
    type: "f32",
    deviation: "ones",
    mutedRows: 0,
  });
  const matrix = (name: string, inputs: number, outputs: number, scale = 1, muted = 0): TensorPlan => ({
    name,
    dims: [inputs, outputs],
    type: shape.type,
    deviation: scale / Math.sqrt(inputs),
    mutedRows: muted,
  });
  const block = (at: number): TensorPlan[] => [
    norm(`blk.${String(at)}.attn_norm.weight`),
    matrix(`blk.${String(at)}.attn_q.weight`, shape.width, shape.width),
    matrix(`blk.${String(at)}.attn_k.weight`, shape.width, kvWidth),
    matrix(`blk.${String(at)}.attn_v.weight`, shape.width, kvWidth),
    matrix(`blk.${String(at)}.attn_output.weight`, shape.width, shape.width, intoStream),
    norm(`blk.${String(at)}.ffn_norm.weight`),
    matrix(`blk.${String(at)}.ffn_gate.weight`, shape.width, shape.feedForward),
    matrix(`blk.${String(at)}.ffn_up.weight`, shape.width, shape.feedForward),
    matrix(`blk.${String(at)}.ffn_down.weight`, shape.feedForward, shape.width, intoStream),
  ];
  return [
    matrix("token_embd.weight", shape.width, shape.vocabulary, Math.sqrt(shape.width)),
    ...Array.from({ length: shape.layers }, (_, at) => block(at)).flat(),
    norm("output_norm.weight"),
    matrix("output.weight", shape.width, shape.vocabulary, 1, mutedRows),
  ];
}

const rowsOf = ({ dims }: TensorPlan) => dims[1] ?? 1;

function rowBytesOf({ name, dims, type }: TensorPlan): number {
  const { blockValues, blockBytes } = weightFormats[type];
  const values = dims[0] ?? 0;
  if (values % blockValues !== 0)
    throw new RangeError(`${name}: ${type} needs rows of a multiple of ${String(blockValues)} values`);
  return (values / blockValues) * blockBytes;
}

/** The tensor's data in pieces of whole rows, a few megabytes each, then its padding. */
function* dataOf(plan: TensorPlan, random: Random): Generator<Buffer> {
  const [rows, rowBytes] = [rowsOf(plan), rowBytesOf(plan)];
  const step = Math.max(1, Math.floor(4_194_304 / rowBytes));
  for (let row = 0; row < rows; row += step) {
    const piece = Buffer.alloc(Math.min(step, rows - row) * rowBytes);
    if (plan.deviation === "ones") for (let at = 0; at < piece.length; at += 4) piece.writeFloatLE(1, at);
    else weightFormats[plan.type].fill(piece, plan.deviation, random);
    // All-zero bytes are zeros in every format.
    piece.fill(0, 0, Math.max(0, Math.min(piece.length, (plan.mutedRows - row) * rowBytes)));
    yield piece;
  }
  yield Buffer.alloc(padded(rows * rowBytes) - rows * rowBytes);
}

/** The entries of the model's header, and where its data comes from. */
function planModel(options: RandomGgufOptions) {
  const shape: ModelShape = { ...tinyShape, ...options };
  const vocabulary = createVocabulary(shape.vocabulary);
  const plans = planTensors(shape, options.emitBytes === true ? specialIds.firstByte : vocabulary.firstNormal);
  let offset = 0;
  const tensors = plans.map((plan): TensorEntry => {
    const tensor = { name: plan.name, dims: plan.dims, typeId: weightFormats[plan.type].typeId, offset };
    offset += padded(rowsOf(plan) * rowBytesOf(plan));
    return tensor;
  });
  return { metadata: metadataOf(shape, vocabulary, options), tensors, plans, vocabulary, dataBytes: offset };
}

/** What the header of such a model has, for tests that change it. */
export function randomGgufEntries(options: RandomGgufOptions = {}): {
  metadata: MetadataEntry[];
  tensors: TensorEntry[];
} {
  const { metadata, tensors } = planModel(options);
  return { metadata, tensors };
}

/** Writes the model to `path`. The same options give the same bytes. */
export function writeRandomGguf(path: string, options: RandomGgufOptions = {}): { parameters: number; bytes: number } {
  const { metadata, tensors, plans, vocabulary, dataBytes } = planModel(options);
  const { circle } = options;
  const header = encodeHeader(metadata, tensors);
  const random = seededBits(options.seed ?? 1);
  const file = openSync(path, "w");
  try {
    writeSync(file, header);
    const embeddings: Buffer[] = [];
    for (const plan of plans) {
      const data =
        circle !== undefined && plan.name === "output.weight"
          ? [
              circleOutput(
                Buffer.concat(embeddings),
                rowBytesOf(plan),
                { length: circle, first: vocabulary.firstNormal },
                options.followers,
              ),
            ]
          : dataOf(plan, random);
      for (const piece of data) {
        if (circle !== undefined && plan.name === "token_embd.weight") embeddings.push(piece);
        writeSync(file, piece);
      }
    }
  } finally {
    closeSync(file);
  }
  return {
    parameters: plans.reduce((sum, { dims }) => sum + dims.reduce((product, size) => product * size, 1), 0),
    bytes: header.length + dataBytes,
  };
}

/** The bytes of such a model, made in a folder of its own. */
export function randomGgufBytes(options: RandomGgufOptions = {}): Buffer {
  using folder = temporaryFolder();
  const path = join(folder.path, "random.gguf");
  writeRandomGguf(path, options);
  return readFileSync(path);
}
