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

/** The file's name, its bytes, and words of the reason why it cannot be run. */
export type OddFile = readonly [name: string, bytes: Buffer, reason: string];

const { metadata, tensors } = randomGgufEntries();
const sound = randomGgufBytes();
const data = sound.subarray(encodeHeader(metadata, tensors).length);

const build = (entries: readonly MetadataEntry[], shapes: readonly TensorEntry[] = tensors) =>
  Buffer.concat([encodeHeader(entries, shapes), data]);

type Value = Omit<MetadataEntry, "key"> | null;
const text = (value: string): Value => ({ type: "string", value });
const count = (value: number): Value => ({ type: "uint32", value });
const float = (value: number): Value => ({ type: "float32", value });

/** The sound model with other values under these keys; null for none. */
function withEntries(changes: Readonly<Record<string, Value>>): Buffer {
  const kept = metadata.filter(({ key }) => changes[key] === undefined);
  const added = Object.entries(changes).flatMap(([key, entry]) => (entry === null ? [] : [{ key, ...entry }]));
  return build([...kept, ...added]);
}
const without = (...keys: string[]) => withEntries(Object.fromEntries(keys.map((key) => [key, null])));

/** The sound model as one of another architecture, with all its sizes and those that only the other one has. */
const ofArchitecture = (name: string, changes: readonly string[] = [], own: Readonly<Record<string, Value>> = {}) =>
  build([
    ...metadata
      .filter(({ key }) => !changes.some((end) => key.endsWith(end)))
      .map((entry) =>
        entry.key === "general.architecture"
          ? { ...entry, value: name }
          : { ...entry, key: entry.key.replace(/^llama\./, `${name}.`) },
      ),
    ...Object.entries(own).flatMap(([key, entry]) => (entry === null ? [] : [{ key: `${name}.${key}`, ...entry }])),
  ]);
const counts = (keys: string): Record<string, Value> =>
  Object.fromEntries(keys.split(" ").map((key) => [key, count(4)]));

const withTensor = (name: string, change: Partial<TensorEntry>) =>
  build(
    metadata,
    tensors.map((tensor) => (tensor.name === name ? { ...tensor, ...change } : tensor)),
  );
const at = (offset: number, bytes: Buffer) =>
  Buffer.concat([sound.subarray(0, offset), bytes, sound.subarray(offset + bytes.length)]);

/** The sound model in big-endian numbers, as far as its version. */
const bigEndian = at(4, Buffer.from([0, 0, 0, 3]));
const shortened = (key: string) => {
  const found = metadata.find((entry) => entry.key === key);
  const value = found?.value as readonly string[];
  return withEntries({ [key]: { type: found?.type ?? "string", value: value.slice(1) } });
};
const llama = (key: string, value: Value) => withEntries({ [`llama.${key}`]: value });

/** Files that are no GGUF, or a damaged one. */
export const damagedFiles: readonly OddFile[] = [
  ["empty", Buffer.alloc(0), "too short"],
  ["page-of-a-website", Buffer.from("<!doctype html><title>404: Not found</title>"), "not a GGUF file"],
  ["pointer-of-git-lfs", Buffer.from("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), "not a GGUF file"],
  ["magic-of-ggml", at(0, Buffer.from("lmgg")), "not a GGUF file"],
  ["version-1", at(4, encodeU32(1)), "version 1 is not supported"],
  ["version-4", at(4, encodeU32(4)), "version 4 is not supported"],
  ["big-endian", bigEndian, "big-endian"],
  ["cut-in-the-header", sound.subarray(0, 30), "the file ends within its header"],
  ["cut-in-the-vocabulary", sound.subarray(0, 6_000), "more than the file can hold"],
  ["cut-in-the-weights", sound.subarray(0, -1_000), "the file ends within its tensors"],
  ["cut-by-a-byte", sound.subarray(0, -1), "the file ends within its tensors"],
  ["many-tensors", at(8, encodeU64(2n ** 62n)), "the number of tensors"],
  ["many-entries", at(16, encodeU64(2n ** 62n)), "the number of metadata entries"],
  ["negative-tensors", at(8, encodeU64(2n ** 64n - 1n)), "the number of tensors"],
  ["empty-key", build([...metadata, { key: "", type: "uint32", value: 1 }]), "a key of its metadata is empty"],
  ["same-key-twice", build([...metadata, ...metadata.slice(0, 1)]), '"general.architecture" occurs twice'],
  ["same-tensor-twice", withTensor("output_norm.weight", { name: "blk.0.attn_norm.weight" }), "occurs twice"],
  ["alignment-0", withEntries({ "general.alignment": count(0) }), "general.alignment is 0"],
  ["alignment-33", withEntries({ "general.alignment": count(33) }), "general.alignment is 33"],
  ["alignment-in-words", withEntries({ "general.alignment": text("32") }), 'general.alignment is "32"'],
  ["unknown-quantization", withTensor("output.weight", { typeId: 99 }), "the type 99"],
  ["removed-quantization", withTensor("output.weight", { typeId: 31 }), "the type 31"],
  ["rows-of-no-block", withTensor("token_embd.weight", { dims: [16, 768], typeId: 2 }), "rows of 16 values"],
  ["five-dimensions", withTensor("output.weight", { dims: [64, 768, 1, 1, 1] }), "has 5 dimensions"],
  ["no-elements", withTensor("output_norm.weight", { dims: [0] }), "has the shape 0"],
  ["endless-tensor", withTensor("output.weight", { dims: [2 ** 39, 2 ** 39] }), "within its tensors"],
  ["offset-past-the-end", withTensor("output.weight", { offset: 2 ** 40 }), "a tensor's offset"],
  ["overlapping-tensors", withTensor("output.weight", { offset: 0 }), "begins at byte 0"],
  ["tensor-without-end-of-name", withTensor("output.weight", { name: "x".repeat(64) }), "a string's length"],
  [
    "arrays-in-arrays",
    Buffer.concat([
      Buffer.from("GGUF"),
      encodeU32(3),
      encodeU64(0),
      encodeU64(1),
      encodeString("k"),
      encodeU32(9),
      ...Array.from({ length: 9 }, () => [encodeU32(9), encodeU64(1)]).flat(),
    ]),
    "nested too deeply",
  ],
  [
    "unknown-type-of-value",
    Buffer.concat([
      Buffer.from("GGUF"),
      encodeU32(3),
      encodeU64(0),
      encodeU64(2),
      encodeMetadata({ key: "general.architecture", type: "string", value: "llama" }),
      encodeString("k"),
      encodeU32(99),
    ]),
    "unknown value type 99",
  ],
];

/** Files of a kind that belongs to models. */
export const otherFiles: readonly OddFile[] = [
  ["mmproj-x", ofArchitecture("clip"), "an image encoder (mmproj)"],
  ["mmproj-by-type", withEntries({ "general.type": text("mmproj") }), "an image encoder (mmproj)"],
  ["adapter", withEntries({ "general.type": text("adapter") }), "a LoRA adapter"],
  ["adapter-of-old", withEntries({ "adapter.type": text("lora") }), "a LoRA adapter"],
  ["imatrix", withEntries({ "general.type": text("imatrix") }), "an importance matrix"],
  ["control-vector", withEntries({ "general.architecture": text("controlvector") }), "a control vector"],
  ["vocabulary", encodeHeader(metadata, []), "a vocabulary without weights"],
];

/** Sound files that the engine cannot run; some would end its process. */
export const unrunnableFiles: readonly OddFile[] = [
  ["architecture-unknown", ofArchitecture("zorg"), 'does not know its architecture "zorg"'],
  ["architecture-empty", withEntries({ "general.architecture": text("") }), 'its architecture ""'],
  ["architecture-missing", without("general.architecture"), "lacks general.architecture"],
  ["architecture-a-number", withEntries({ "general.architecture": count(1) }), "lacks general.architecture"],
  ["architecture-of-bert", ofArchitecture("bert", ["rms_epsilon"]), "lacks bert.attention.layer_norm"],
  ["no-context-length", without("llama.context_length"), "lacks llama.context_length"],
  ["no-embedding-length", without("llama.embedding_length"), "lacks llama.embedding_length"],
  ["no-block-count", without("llama.block_count"), "lacks llama.block_count"],
  ["no-epsilon", without("llama.attention.layer_norm_rms_epsilon"), "lacks llama.attention.layer_norm_rms_epsilon"],
  ["no-head-count", without("llama.attention.head_count"), "lacks llama.attention.head_count"],
  ["no-feed-forward", without("llama.feed_forward_length"), "lacks llama.feed_forward_length"],
  ["no-experts", ofArchitecture("qwen3moe"), "lacks qwen3moe.expert_count"],
  ["experts-unused", llama("expert_count", count(4)), "llama.expert_used_count"],
  ["no-layers", llama("block_count", count(0)), "llama.block_count is 0"],
  ["many-layers", llama("block_count", count(600)), "512 layers"],
  ["huge-layers", llama("block_count", count(4_000_000_000)), "llama.block_count is 4000000000"],
  ["layers-in-words", llama("block_count", text("2")), 'llama.block_count is "2"'],
  ["no-context", llama("context_length", count(0)), "llama.context_length is 0"],
  ["no-width", llama("embedding_length", count(0)), "llama.embedding_length is 0"],
  ["negative-width", llama("embedding_length", { type: "int32", value: -64 }), "llama.embedding_length is -64"],
  ["no-heads", llama("attention.head_count", count(0)), "llama.attention.head_count is 0"],
  ["no-kv-heads", llama("attention.head_count_kv", count(0)), "llama.attention.head_count_kv is 0"],
  ["uneven-heads", llama("attention.head_count_kv", count(3)), "does not divide the 4 heads"],
  ["more-heads-than-width", llama("attention.head_count", count(128)), "more than the width"],
  ["feed-forward-0", llama("feed_forward_length", count(0)), "llama.feed_forward_length is 0"],
  ["odd-rotation", llama("rope.dimension_count", count(15)), "which must be even"],
  ["rotation-too-wide", llama("rope.dimension_count", count(64)), "at most 16"],
  ["vocab-size-0", llama("vocab_size", count(0)), "llama.vocab_size is 0"],
  ["epsilon-nan", llama("attention.layer_norm_rms_epsilon", float(NaN)), "rms_epsilon is NaN"],
  ["epsilon-infinite", llama("attention.layer_norm_rms_epsilon", float(Infinity)), "rms_epsilon is Infinity"],
  ["epsilon-negative", llama("attention.layer_norm_rms_epsilon", float(-1)), "rms_epsilon is -1"],
  ["rope-base-nan", llama("rope.freq_base", float(NaN)), "rope.freq_base is NaN"],
  ["rope-base-0", llama("rope.freq_base", float(0)), "rope.freq_base is 0"],
  ["rope-factor-nan", llama("rope.scaling.factor", float(NaN)), "rope.scaling.factor is NaN"],
  ["rope-factor-negative", llama("rope.scaling.factor", float(-2)), "rope.scaling.factor is -2"],
  ["rope-scale-nan", llama("rope.scale_linear", float(NaN)), "rope.scale_linear is NaN"],
  ["attention-scale-nan", llama("attention.scale", float(NaN)), "attention.scale is NaN"],
  ["softcap-nan", llama("attn_logit_softcapping", float(NaN)), "attn_logit_softcapping is NaN"],
  ["softcap-infinite", llama("final_logit_softcapping", float(Infinity)), "final_logit_softcapping is Infinity"],
  ["logit-scale-nan", llama("logit_scale", float(NaN)), "logit_scale is NaN"],
  ["no-tokenizer", without("tokenizer.ggml.model"), "lacks tokenizer.ggml.model"],
  ["no-tokens", without("tokenizer.ggml.tokens"), "its vocabulary has no tokens"],
  [
    "tokens-as-numbers",
    withEntries({ "tokenizer.ggml.tokens": { type: "uint32", value: [1, 2, 3] } }),
    "items of another type",
  ],
  ["scores-too-few", shortened("tokenizer.ggml.scores"), "767 items for 768 tokens"],
  ["types-too-few", shortened("tokenizer.ggml.token_type"), "767 items for 768 tokens"],
  ["tokens-too-few", shortened("tokenizer.ggml.tokens"), "768 items for 767 tokens"],
  [
    "shape-of-queries",
    withTensor("blk.0.attn_q.weight", { dims: [32, 128] }),
    "blk.0.attn_q.weight has the shape 32 × 128",
  ],
  ["sections-missing", ofArchitecture("paddleocr"), "paddleocr.rope.dimension_sections has no section"],
  [
    "sections-zero",
    ofArchitecture("qwen35", [], { "rope.dimension_sections": { type: "int32", value: [0, 0, 0, 11] } }),
    "qwen35.rope.dimension_sections has no section",
  ],
  ["shape-of-vocabulary", withTensor("output.weight", { dims: [32, 1536] }), "requires 64 × 768"],
];

/** Files whose fault only the engine finds, when it loads them. */
export const engineFiles: readonly OddFile[] = [
  [
    "tensor-missing",
    withTensor("output_norm.weight", { name: "output_norm.wight" }),
    "tensor 'output_norm.weight' not found",
  ],
  ["tokenizer-unknown", withEntries({ "tokenizer.ggml.model": text("zorg") }), "unknown tokenizer: 'zorg'"],
  ["layer-too-many", llama("block_count", count(3)), "tensor 'blk.2.attn_norm.weight' not found"],
  ["tensors-of-another-architecture", ofArchitecture("qwen"), "missing tensor 'blk.0.attn_qkv.weight'"],
  [
    "pre-tokenizer-unknown",
    withEntries({ "tokenizer.ggml.model": text("gpt2"), "tokenizer.ggml.pre": text("zorg") }),
    "",
  ],
];

const stateSizes = "ssm.conv_kernel ssm.inner_size ssm.state_size ssm.time_step_rank";
/** Files that would end the engine's process; only a trial load shows it. */
export const trialFiles: readonly OddFile[] = [
  ["state-of-jamba", ofArchitecture("jamba", [], counts(stateSizes)), "2 * n_embd == d_inner"],
  [
    "state-of-granite",
    ofArchitecture("granitehybrid", [], counts(`${stateSizes} ssm.group_count`)),
    "2 * n_embd == d_inner",
  ],
  [
    "layers-of-sound",
    ofArchitecture("wavtokenizer-dec", [], {
      ...counts("features_length posnet.embedding_length posnet.block_count attention.group_norm_groups"),
      ...counts("convnext.embedding_length convnext.block_count"),
      "attention.layer_norm_epsilon": float(1e-5),
      "attention.group_norm_epsilon": float(1e-5),
    }),
    "posnet.n_layer <= hparams.n_layer_all",
  ],
];
