import { firstPieces, type Piece, type Vocabulary } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

interface Word {
  symbols: string[];
  readonly count: number;
}

/** Words that are rarer than this teach nothing about what is frequent. */
const rarestWord = 2;
/** Characters that are rarer than this are written as bytes. */
const rarestCharacter = 3;

const pairKey = (left: string, right: string) => `${left}\n${right}`;

class PairCounts {
  readonly #counts = new Map<string, number>();
  readonly #words = new Map<string, Set<Word>>();

  /** Counts the pairs of a word, or takes them back. */
  add(word: Word, sign: 1 | -1): void {
    const { symbols, count } = word;
    for (let index = 1; index < symbols.length; index++) {
      const key = pairKey(symbols[index - 1] ?? "", symbols[index] ?? "");
      const sum = (this.#counts.get(key) ?? 0) + sign * count;
      if (sum > 0) this.#counts.set(key, sum);
      else this.#counts.delete(key);
      if (sign > 0) (this.#words.get(key) ?? this.#setFor(key)).add(word);
    }
  }

  #setFor(key: string): Set<Word> {
    const words = new Set<Word>();
    this.#words.set(key, words);
    return words;
  }

  /** The most frequent pair; of equally frequent ones the one that was seen first. */
  most(): { left: string; right: string; count: number } | undefined {
    let best: string | undefined;
    let count = 0;
    for (const [key, sum] of this.#counts) if (sum > count) [best, count] = [key, sum];
    if (best === undefined) return undefined;
    const [left = "", right = ""] = best.split("\n");
    return { left, right, count };
  }

  wordsWith(left: string, right: string): Set<Word> {
    const key = pairKey(left, right);
    const words = this.#words.get(key) ?? new Set<Word>();
    this.#words.delete(key);
    return words;
  }
}

function merged(symbols: readonly string[], left: string, right: string): string[] {
  const result: string[] = [];
  for (let index = 0; index < symbols.length; index++) {
    const symbol = symbols[index] ?? "";
    const fits = symbol === left && symbols[index + 1] === right;
    result.push(fits ? left + right : symbol);
    if (fits) index++;
  }
  return result;
}

function countWords(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const { text: word, isSymbol } of wordsOf(text))
      if (!isSymbol && word !== "\n") counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Learns a vocabulary of byte-pair encoding with at most so many pieces, the first pieces and single characters included. */
export function learnPieces(texts: Iterable<string>, size: number): Vocabulary {
  const wordCounts = countWords(texts);
  const characters = new Map<string, number>([["\n", rarestCharacter]]);
  for (const [word, count] of wordCounts)
    for (const character of word) characters.set(character, (characters.get(character) ?? 0) + count);
  const known = [...characters].filter(([, count]) => count >= rarestCharacter).sort((a, b) => b[1] - a[1]);
  const pieces: Piece[] = [...firstPieces];
  /** Below that of every merge: single characters are never the result of one. */
  const least = -size;
  for (const [text] of known) pieces.push({ text, score: least, kind: "normal" });
  const there = new Set(pieces.map(({ text }) => text));
  const pairs = new PairCounts();
  for (const [text, count] of wordCounts) {
    if (count < rarestWord) continue;
    const word: Word = { symbols: [...text], count };
    pairs.add(word, 1);
  }
  for (let rank = 1; pieces.length < size; rank++) {
    const best = pairs.most();
    if (best === undefined || best.count < rarestWord) break;
    const { left, right } = best;
    if (!there.has(left + right)) {
      pieces.push({ text: left + right, score: -rank, kind: "normal" });
      there.add(left + right);
    }
    for (const word of pairs.wordsWith(left, right)) {
      const after = merged(word.symbols, left, right);
      if (after.length === word.symbols.length) continue;
      pairs.add(word, -1);
      word.symbols = after;
      pairs.add(word, 1);
    }
  }
  return pieces;
}
