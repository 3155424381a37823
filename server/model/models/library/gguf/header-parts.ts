import type { GgufTensor } from "./gguf-tensors.ts";
import type { ArrayShape, GgufValue } from "./gguf-values.ts";

export interface HeaderParts {
  readonly metadata: ReadonlyMap<string, GgufValue>;
  /** Types and lengths of the arrays in the metadata. */
  readonly arrays: ReadonlyMap<string, ArrayShape>;
  readonly tensors: readonly GgufTensor[];
}

/** Advice for a file that only its maker can repair. */
export const repair = "download the file again, or use another source";

/** Reads sizes of the architecture by name; undefined for one that is missing, or differs by layer. */
export const sizesUnder = (architecture: string, metadata: HeaderParts["metadata"]) => (name: string) => {
  const value = metadata.get(`${architecture}.${name}`);
  return typeof value === "number" ? value : undefined;
};
