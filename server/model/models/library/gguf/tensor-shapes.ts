import { repair, sizesUnder, type HeaderParts } from "./header-parts.ts";

/** Architectures whose blocks have the tensors below in these shapes; those of others are left to the engine. */
const plainArchitectures = ["llama", "mistral3", "qwen2", "qwen3", "gemma", "gemma2", "gemma3", "smollm3", "granite"];

type Size = "width" | "vocabulary" | "queries" | "keys" | "values" | "outputs" | "feedForward";

const shapes: Readonly<Record<string, readonly Size[]>> = {
  "token_embd.weight": ["width", "vocabulary"],
  "output.weight": ["width", "vocabulary"],
  "output_norm.weight": ["width"],
  "attn_norm.weight": ["width"],
  "ffn_norm.weight": ["width"],
  "attn_q.weight": ["width", "queries"],
  "attn_k.weight": ["width", "keys"],
  "attn_v.weight": ["width", "values"],
  "attn_output.weight": ["outputs", "width"],
  "ffn_gate.weight": ["width", "feedForward"],
  "ffn_up.weight": ["width", "feedForward"],
  "ffn_down.weight": ["feedForward", "width"],
};

/** The sizes by name; undefined for one that differs by layer, or is not in the header. */
function sizesOf(architecture: string, { metadata, arrays }: HeaderParts): Record<Size, number | undefined> {
  const of = sizesUnder(architecture, metadata);
  const [width, heads] = [of("embedding_length"), of("attention.head_count")];
  const kvHeads = metadata.has(`${architecture}.attention.head_count_kv`) ? of("attention.head_count_kv") : heads;
  const headLength = width !== undefined && heads !== undefined ? Math.floor(width / heads) : undefined;
  const times = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? undefined : a * b;
  const [keyLength, valueLength] = [
    of("attention.key_length") ?? headLength,
    of("attention.value_length") ?? headLength,
  ];
  return {
    width,
    vocabulary: arrays.get("tokenizer.ggml.tokens")?.length,
    queries: times(heads, keyLength),
    keys: times(kvHeads, keyLength),
    values: times(kvHeads, valueLength),
    outputs: times(heads, valueLength),
    feedForward: of("feed_forward_length"),
  };
}

/** Whether all that its header can do to the engine is checked here; other kinds need a trial load. */
export const isPlainArchitecture = (architecture: string) => plainArchitectures.includes(architecture);

/** The reason for the first tensor of another shape than its architecture has. */
export function wrongShape(architecture: string, parts: HeaderParts): string | undefined {
  if (!isPlainArchitecture(architecture)) return undefined;
  const sizes = sizesOf(architecture, parts);
  for (const { name, dims } of parts.tensors) {
    const expected = shapes[name.replace(/^blk\.\d+\./, "")]?.map((size) => sizes[size]);
    const isRight = expected?.every((size, at) => size === undefined || size === (dims[at] ?? 1));
    if (expected === undefined || (isRight && dims.slice(expected.length).every((size) => size === 1))) continue;
    const needed = expected.map((size) => (size === undefined ? "?" : String(size))).join(" × ");
    return `its tensor ${name} has the shape ${dims.join(" × ")}, but its metadata requires ${needed}: ${repair}`;
  }
  return undefined;
}
