/**
 * Finds what the engine cannot run in a header. Some of it ends the engine's process, with all other models in it, and
 * some of it comes to light only after gigabytes have been read.
 */
import { engineArchitectures } from "./engine-architectures.ts";
import { ggufTypes, type GgufValue } from "./gguf-values.ts";
import { repair, sizesUnder, type HeaderParts } from "./header-parts.ts";
import { wrongShape } from "./tensor-shapes.ts";

/** Recurrent models have neither heads nor a feed-forward part, or only in some layers. */
const isRecurrent = (architecture: string) =>
  /rwkv|mamba|jamba|hybrid|nemotron_h|falcon-h1|plamo2|lfm2/.test(architecture);

const alwaysRequired = ["context_length", "embedding_length", "block_count"];

/** Sizes of which none may be zero. */
const sizes = [
  ...alwaysRequired,
  "vocab_size",
  "attention.head_count",
  "attention.head_count_kv",
  "attention.key_length",
  "attention.value_length",
  "feed_forward_length",
  "expert_feed_forward_length",
  "rope.dimension_count",
];
const recurrentSizes = [...alwaysRequired, "vocab_size"];

/** The largest size that the engine counts. */
const maxSize = 2 ** 31 - 1;
/** Its layers (LLAMA_MAX_LAYERS). */
const maxLayers = 512;

const isSize = (value: GgufValue) =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= maxSize;

function missingKey(architecture: string, metadata: HeaderParts["metadata"]): string | undefined {
  const anyOf = [
    ...alwaysRequired.map((key) => [key]),
    ["attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"],
    ...(isRecurrent(architecture)
      ? []
      : [["attention.head_count"], ["feed_forward_length", "expert_feed_forward_length"]]),
    ...(/moe|smallthinker/.test(architecture) ? [["expert_count"]] : []),
  ].map((keys) => keys.map((key) => `${architecture}.${key}`));
  const missing = anyOf.find((keys) => !keys.some((key) => metadata.has(key)));
  return missing && `its metadata lacks ${missing.join(" or ")}: ${repair}`;
}

/** A size that is zero, negative, too large or no number; a list has one for each layer, of which some may be zero. */
function wrongSize(architecture: string, metadata: HeaderParts["metadata"]): string | undefined {
  for (const name of isRecurrent(architecture) ? recurrentSizes : sizes) {
    const key = `${architecture}.${name}`;
    const value = metadata.get(key);
    if (value === undefined || Array.isArray(value) || isSize(value)) continue;
    return `${key} is ${JSON.stringify(value)} instead of a number from 1 on: ${repair}`;
  }
  const layers = metadata.get(`${architecture}.block_count`);
  if (typeof layers !== "number" || layers <= maxLayers) return undefined;
  return `${architecture}.block_count is ${String(layers)}; the engine supports ${String(maxLayers)} layers`;
}

/** Floats of which zero is too little, and those that may be zero. */
const positive = /^rope\.freq_base/;
const notNegative = /epsilon$|softcapping$|scale$|^rope\.scal/;

function isSoundFloat(name: string, value: number): boolean {
  if (positive.test(name)) return Number.isFinite(value) && value > 0;
  return notNegative.test(name) ? Number.isFinite(value) && value >= 0 : !Number.isNaN(value);
}

function wrongFloat(architecture: string, metadata: HeaderParts["metadata"]): string | undefined {
  const prefix = `${architecture}.`;
  for (const [key, value] of metadata) {
    if (typeof value !== "number" || !key.startsWith(prefix) || isSoundFloat(key.slice(prefix.length), value)) continue;
    return `${key} is ${String(value)}, which allows no answer: ${repair}`;
  }
  return undefined;
}

/** Sizes that do not go together; one that is missing or a list is left to the engine. */
function unevenSizes(architecture: string, metadata: HeaderParts["metadata"]): string | undefined {
  const of = sizesUnder(architecture, metadata);
  const [heads, width] = [of("attention.head_count"), of("embedding_length")];
  if (isRecurrent(architecture) || heads === undefined || width === undefined) return undefined;
  const wrong = (name: string, text: string) => `${architecture}.${name} is ${String(of(name))}, ${text}: ${repair}`;
  const kvHeads = of("attention.head_count_kv") ?? heads;
  if (heads % kvHeads !== 0)
    return wrong("attention.head_count_kv", `which does not divide the ${String(heads)} heads`);
  const keyLength = of("attention.key_length") ?? Math.floor(width / heads);
  if (keyLength < 1) return wrong("attention.head_count", `more than the width of ${String(width)}`);
  const rotated = of("rope.dimension_count");
  if (rotated !== undefined && (rotated % 2 !== 0 || rotated > keyLength))
    return wrong("rope.dimension_count", `which must be even and at most ${String(keyLength)}`);
  // Heads of latent attention have a part that is not rotated.
  if (metadata.has(`${architecture}.attention.kv_lora_rank`) && rotated === keyLength)
    return wrong("rope.dimension_count", `which must be less than the ${String(keyLength)} of a head`);
  const [experts, used] = [of("expert_count") ?? 0, of("expert_used_count")];
  if (experts > 0 && (used === undefined || used < 1 || used > experts))
    return wrong("expert_used_count", `which must be from 1 to ${String(experts)}`);
  return undefined;
}

/** Architectures that rotate by several positions at once: in time, height and width. */
const hasSections = (architecture: string) => /^(?:paddleocr|qwen2vl|qwen3vl|qwen35)/.test(architecture);

function wrongSections(architecture: string, { metadata }: HeaderParts): string | undefined {
  const key = `${architecture}.rope.dimension_sections`;
  if (!hasSections(architecture)) return undefined;
  const sections = metadata.get(key);
  const first = Array.isArray(sections) ? sections.slice(0, 3) : [];
  if (first.some((size) => typeof size === "number" && size > 0)) return undefined;
  return `${key} has no section of the positions: ${repair}`;
}

/** The arrays of a vocabulary, with the types of their items. */
const vocabularyTypes: Readonly<Record<string, number>> = {
  "tokenizer.ggml.tokens": ggufTypes.string,
  "tokenizer.ggml.merges": ggufTypes.string,
  "tokenizer.ggml.scores": ggufTypes.float32,
  "tokenizer.ggml.token_type": ggufTypes.int32,
};

function wrongVocabulary({ metadata, arrays }: HeaderParts): string | undefined {
  const kind = metadata.get("tokenizer.ggml.model");
  if (typeof kind !== "string") return `its metadata lacks tokenizer.ggml.model: ${repair}`;
  const tokens = arrays.get("tokenizer.ggml.tokens")?.length ?? 0;
  if (tokens === 0 && kind !== "none" && kind !== "no_vocab") return `its vocabulary has no tokens: ${repair}`;
  for (const [key, type] of Object.entries(vocabularyTypes)) {
    if (!metadata.has(key)) continue;
    const shape = arrays.get(key);
    if (shape?.type !== type) return `${key} has items of another type than the engine reads: ${repair}`;
    if (!key.endsWith("merges") && shape.length !== tokens)
      return `${key} has ${String(shape.length)} items for ${String(tokens)} tokens: ${repair}`;
  }
  return undefined;
}

/** The first reason why the engine cannot run it; undefined for a sound header, and for a later part of a model. */
export function engineFault(parts: HeaderParts): string | undefined {
  const { metadata, tensors } = parts;
  const part = metadata.get("split.no");
  if (typeof part === "number" && part > 0) return undefined;
  const architecture = metadata.get("general.architecture");
  if (typeof architecture !== "string") return `its metadata lacks general.architecture: ${repair}`;
  if (!engineArchitectures.has(architecture))
    return `the engine does not know its architecture ${JSON.stringify(architecture.slice(0, 80))}: update Hearth, or use another model`;
  if (tensors.length === 0) return "it has no weights";
  return (
    missingKey(architecture, metadata) ??
    wrongSize(architecture, metadata) ??
    wrongFloat(architecture, metadata) ??
    unevenSizes(architecture, metadata) ??
    wrongSections(architecture, parts) ??
    wrongVocabulary(parts) ??
    wrongShape(architecture, parts)
  );
}
