import { symbols } from "./vocabulary.ts";

export const blank = "▁";

const escaped = symbols.map((symbol) => symbol.replace(/[|/]/g, "\\$&"));
const symbolPattern = new RegExp(`(${escaped.join("|")})`);

/**
 * Letters of one script (and `_`) with the blank before them, single digits, runs of signs, line breaks. No piece reaches across the
 * edge of a word, so that words can be encoded one by one although llama.cpp merges the text as a whole.
 */
const wordPattern = /▁?\p{Script=Han}+|▁?[\p{L}_]+|\p{N}|\n|▁?[^\p{L}\p{N}\n▁_]+|▁/gu;

/** Letters of another script than Han begin a word of their own. */
const scriptEdge = /(?<=\p{Script=Han})(?=(?!\p{Script=Han})\p{L})|(?<=(?!\p{Script=Han})\p{L})(?=\p{Script=Han})/u;

/** The symbols and words of a text, which they add up to. */
export function wordsOf(text: string): { text: string; isSymbol: boolean }[] {
  return text.split(symbolPattern).flatMap((part, index) => {
    if (index % 2 === 1) return [{ text: part, isSymbol: true }];
    const words = part.replaceAll(" ", blank).match(wordPattern) ?? [];
    return words.flatMap((word) => word.split(scriptEdge)).map((word) => ({ text: word, isSymbol: false }));
  });
}
