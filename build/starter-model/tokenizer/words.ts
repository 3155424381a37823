import { symbols } from "./vocabulary.ts";

const blank = "▁";

const escaped = symbols.map((symbol) => symbol.replace(/[|/]/g, "\\$&"));
const symbolPattern = new RegExp(`(${escaped.join("|")})`);

/**
 * Han characters, other letters (and `_`), single digits, blanks, line breaks, and runs of signs. No piece reaches across the edge of a word,
 * so that words can be encoded one by one although llama.cpp merges the text as a whole. A blank is a word of its own: a
 * name has the same pieces behind a blank and behind a quotation mark, and so can be copied.
 */
const wordPattern =
  /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}_])+|\p{N}|[\n▁]|(?:(?!\p{Script=Han})[^\p{L}\p{N}\n▁_])+/gu;

interface Word {
  readonly text: string;
  readonly isSymbol: boolean;
}

/** The symbols and words of a text, which they add up to; blanks are written as the vocabulary has them. */
export function wordsOf(text: string): Word[] {
  return text.split(symbolPattern).flatMap((part, index): Word[] => {
    if (index % 2 === 1) return [{ text: part, isSymbol: true }];
    const words = part.replaceAll(" ", blank).match(wordPattern) ?? [];
    return words.map((word) => ({ text: word, isSymbol: false }));
  });
}
