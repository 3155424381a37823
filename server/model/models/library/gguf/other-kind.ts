import type { GgufValue } from "./gguf-values.ts";

/** Kinds of GGUF files beside models, in words. */
export const otherKinds = {
  mmproj: "an image encoder (mmproj), which belongs to a model",
  adapter: "a LoRA adapter, which changes a model; adapters are not supported",
  imatrix: "an importance matrix (imatrix), with which models are quantized",
  controlvector: "a control vector, which changes a model; control vectors are not supported",
  vocab: "a vocabulary without weights",
} as const;
export type OtherKind = keyof typeof otherKinds;

const isKind = (value: GgufValue | undefined): value is OtherKind =>
  typeof value === "string" && Object.hasOwn(otherKinds, value);

/** The kind of a file that is no model; undefined for a model, and for a later part of one. */
export function otherKind(metadata: ReadonlyMap<string, GgufValue>, tensorCount: number): OtherKind | undefined {
  const [type, architecture] = [metadata.get("general.type"), metadata.get("general.architecture")];
  if (isKind(type)) return type;
  if (architecture === "clip") return "mmproj";
  if (isKind(architecture)) return architecture;
  if (metadata.has("adapter.type")) return "adapter";
  if (metadata.has("imatrix.chunk_count")) return "imatrix";
  const isVocabulary = tensorCount === 0 && metadata.has("tokenizer.ggml.model") && !metadata.has("split.count");
  return isVocabulary ? "vocab" : undefined;
}
