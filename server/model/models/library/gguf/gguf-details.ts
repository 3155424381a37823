/** The details of a model in lists and `show`, from its GGUF header. */
import type { ModelDetails } from "../../../../contract/model/ollama.ts";
import type { GgufHeader } from "./gguf-header.ts";
import type { GgufValue } from "./gguf-values.ts";

/** Names of `general.file_type`, by number (llama.cpp: llama_ftype). */
const fileTypes: Readonly<Record<number, string>> = {
  0: "F32",
  1: "F16",
  2: "Q4_0",
  3: "Q4_1",
  7: "Q8_0",
  8: "Q5_0",
  9: "Q5_1",
  10: "Q2_K",
  11: "Q3_K_S",
  12: "Q3_K_M",
  13: "Q3_K_L",
  14: "Q4_K_S",
  15: "Q4_K_M",
  16: "Q5_K_S",
  17: "Q5_K_M",
  18: "Q6_K",
  19: "IQ2_XXS",
  20: "IQ2_XS",
  21: "Q2_K_S",
  22: "IQ3_XS",
  23: "IQ3_XXS",
  24: "IQ1_S",
  25: "IQ4_NL",
  26: "IQ3_S",
  27: "IQ3_M",
  28: "IQ2_S",
  29: "IQ2_M",
  30: "IQ4_XS",
  31: "IQ1_M",
  32: "BF16",
  36: "TQ1_0",
  37: "TQ2_0",
  38: "MXFP4",
  39: "NVFP4",
};

export const ggufText = (value: GgufValue | undefined) => (typeof value === "string" ? value : undefined);
const numberOf = (value: GgufValue | undefined) =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** A number of weights in short form: 3.2B, 4.20M, 172K. */
export function parameterSize(count: number): string {
  const [unit, letter, decimals] =
    count >= 1e9 ? ([1e9, "B", 1] as const) : count >= 1e6 ? ([1e6, "M", 2] as const) : ([1e3, "K", 0] as const);
  if (count < 1e3) return String(count);
  const value = count / unit;
  return `${value.toFixed(Number.isInteger(value) ? 0 : decimals)}${letter}`;
}

export const architectureOf = ({ metadata }: GgufHeader) => ggufText(metadata.get("general.architecture")) ?? "unknown";

/** Tokens of the window that the model was trained on. */
export const trainedContext = (header: GgufHeader) =>
  numberOf(header.metadata.get(`${architectureOf(header)}.context_length`));

export function detailsOf(header: GgufHeader): ModelDetails {
  const family = architectureOf(header);
  const fileType = header.metadata.get("general.file_type");
  const contextLength = trainedContext(header);
  const embeddingLength = numberOf(header.metadata.get(`${family}.embedding_length`));
  return {
    parent_model: "",
    format: "gguf",
    family,
    families: [family],
    parameter_size: parameterSize(header.parameterCount),
    quantization_level: typeof fileType === "number" ? (fileTypes[fileType] ?? "unknown") : "unknown",
    ...(contextLength !== undefined && { context_length: contextLength }),
    ...(embeddingLength !== undefined && { embedding_length: embeddingLength }),
  };
}

/** The metadata in `show`. JSON has no NaN or infinity, so such values are left out. */
export function modelInfoOf(header: GgufHeader): Record<string, GgufValue> {
  const left = ["general.name", "tokenizer.chat_template"];
  const entries = [...header.metadata].filter(
    ([key, value]) => !left.includes(key) && !(typeof value === "number" && !Number.isFinite(value)),
  );
  return { ...Object.fromEntries(entries), "general.parameter_count": header.parameterCount };
}
