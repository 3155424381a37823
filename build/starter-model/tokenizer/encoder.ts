import { firstByteId, type Vocabulary } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

/** Turns texts into the ids that llama.cpp's tokenizer gives them. */
export class Encoder {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #scores: readonly number[];
  readonly #known = new Map<string, readonly number[]>();

  constructor(vocabulary: Vocabulary) {
    this.#ids = new Map(vocabulary.map(({ text }, id) => [text, id]));
    this.#scores = vocabulary.map(({ score }) => score);
  }

  encode(text: string): number[] {
    return wordsOf(text).flatMap(({ text: word, isSymbol }) =>
      isSymbol ? [this.#ids.get(word) ?? 0] : this.#encodeWord(word),
    );
  }

  #encodeWord(word: string): readonly number[] {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const ids = this.#merge([...word]).flatMap((piece) => this.#idsOf(piece));
    this.#known.set(word, ids);
    return ids;
  }

  /** Merges the neighbours that make the piece with the highest score, of equal ones the first, until none make one. */
  #merge(characters: string[]): string[] {
    const symbols = [...characters];
    for (;;) {
      let best = -1;
      let highest = -Infinity;
      for (let index = 1; index < symbols.length; index++) {
        const id = this.#ids.get((symbols[index - 1] ?? "") + (symbols[index] ?? ""));
        const score = id === undefined ? -Infinity : (this.#scores[id] ?? -Infinity);
        if (score > highest) [best, highest] = [index, score];
      }
      if (best < 0) return symbols;
      symbols.splice(best - 1, 2, (symbols[best - 1] ?? "") + (symbols[best] ?? ""));
    }
  }

  #idsOf(piece: string): number[] {
    const id = this.#ids.get(piece);
    return id === undefined ? [...Buffer.from(piece)].map((byte) => firstByteId + byte) : [id];
  }
}
