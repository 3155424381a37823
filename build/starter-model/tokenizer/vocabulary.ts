/** The pieces that texts are made of, in the form in which llama.cpp's tokenizer "llama" (SentencePiece's BPE) reads them. */

/** Numbers of GGUF's token types. */
export const pieceKinds = { normal: 1, unknown: 2, control: 3, userDefined: 4, byte: 6 } as const;

export interface Piece {
  /** With `▁` for a blank. */
  readonly text: string;
  /** Of two possible merges the one with the higher score comes first. */
  readonly score: number;
  readonly kind: keyof typeof pieceKinds;
}
export type Vocabulary = readonly Piece[];

export const unknownId = 0;
export const startId = 1;
export const padId = 2;
export const turnStart = "<|im_start|>";
export const turnEnd = "<|im_end|>";
/** Texts that are always one piece. */
export const symbols = [turnStart, turnEnd, "<tool_call>", "</tool_call>"] as const;

const special = (text: string, kind: Piece["kind"]): Piece => ({ text, score: 0, kind });

/** What every vocabulary begins with: the special pieces, then one for each byte, for characters that are no piece. */
export const firstPieces: Vocabulary = [
  special("<unk>", "unknown"),
  special("<s>", "control"),
  special("</s>", "control"),
  ...symbols.map((text) => special(text, text.startsWith("<|") ? "control" : "userDefined")),
  ...Array.from({ length: 256 }, (_, byte) =>
    special(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`, "byte"),
  ),
];
export const firstByteId = firstPieces.length - 256;
