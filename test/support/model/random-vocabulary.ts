/** The vocabulary of a generated model: SentencePiece-like, every token reachable by merging two shorter ones. */

export const tokenTypes = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;
/** Ids of the special tokens; the 256 bytes lie between them, at 3 and up. */
export const specialIds = { unknown: 0, begin: 1, end: 2, firstByte: 3, turnStart: 259, turnEnd: 260 } as const;

export interface Vocabulary {
  readonly texts: string[];
  readonly types: number[];
  readonly scores: number[];
  /** Id of the first token that is plain text. */
  readonly firstNormal: number;
}

const space = "▁";
const letters = [..."etaoinshrdlcumwfgypbvkjxqz"];

/** Single characters first, then n-grams of letters: each is a shorter one and one more letter. */
function* plainTokens(): Generator<string> {
  yield space;
  yield* letters;
  for (let code = 33; code < 127; code++) {
    const character = String.fromCharCode(code);
    if (!letters.includes(character)) yield character;
  }
  for (let grams = letters; ; grams = grams.flatMap((gram) => letters.map((letter) => gram + letter))) {
    if (grams !== letters) yield* grams;
    for (const gram of grams) yield space + gram;
  }
}

/** @throws RangeError when `size` leaves no room for plain text. */
export function createVocabulary(size: number): Vocabulary {
  const bytes = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, "0")}>`);
  const texts = ["<unk>", "<s>", "</s>", ...bytes, "<|im_start|>", "<|im_end|>"];
  const types: number[] = [tokenTypes.unknown, tokenTypes.control, tokenTypes.control];
  types.push(...bytes.map(() => tokenTypes.byte), tokenTypes.control, tokenTypes.control);
  const firstNormal = texts.length;
  if (size < firstNormal + 128) throw new RangeError(`a vocabulary needs at least ${String(firstNormal + 128)} tokens`);
  for (const text of plainTokens()) {
    if (texts.length === size) break;
    texts.push(text);
    types.push(tokenTypes.normal);
  }
  return {
    texts,
    types,
    scores: types.map((type, id) => (type === tokenTypes.normal ? firstNormal - id : 0)),
    firstNormal,
  };
}
