import type { GgufHeader } from "./gguf/gguf-header.ts";

/** The header of a model without weights. */
export const noHeader: GgufHeader = { metadata: new Map(), tensorCount: 0, parameterCount: 0, headerBytes: 0 };
