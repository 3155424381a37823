/** Reads of a model's file what a training that goes on from it needs. */
import { readGgufHeader } from "../../../server/model/models/library/gguf/gguf-header.ts";
import { pieceKinds, type Piece, type Vocabulary } from "../tokenizer/vocabulary.ts";

const kindOf = new Map<number, Piece["kind"]>(
  Object.entries(pieceKinds).map(([kind, number]) => [number, kind as Piece["kind"]]),
);

/** @returns its pieces, and at which byte its weights begin */
export async function readModel(file: string): Promise<{ vocabulary: Vocabulary; firstByte: number }> {
  const { metadata, headerBytes } = await readGgufHeader(file, Infinity);
  const column = <Item>(name: string) => metadata.get(`tokenizer.ggml.${name}`) as Item[];
  const [scores, kinds] = [column<number>("scores"), column<number>("token_type")];
  const vocabulary = column<string>("tokens").map((text, id) => {
    const kind = kindOf.get(kinds[id] ?? 0);
    if (kind === undefined) throw new Error(`${file}: piece ${id} is of an unknown kind`);
    return { text, score: scores[id] ?? 0, kind };
  });
  return { vocabulary, firstByte: headerBytes };
}
