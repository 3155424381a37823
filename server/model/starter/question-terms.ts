/** Terms of a text for looking it up: words and stems, and characters where a script has no spaces between words. */

const word = /[\p{Script=Latin}\p{N}_]+/gu;
const run = /\p{Script=Han}+/gu;
const endings = ["ingly", "edly", "ing", "ies", "ied", "ed", "es", "ly", "s", "e", "y"];
const leastStem = 3;

/** A term of its own for all forms of a word: `~upload`. */
function stemOf(text: string): string {
  const ending = endings.find((end) => text.endsWith(end) && text.length - end.length >= leastStem);
  return `~${ending === undefined ? text : text.slice(0, -ending.length)}`;
}

/** Each but the first with the one before it. */
const pairsOf = (all: readonly string[]) => all.slice(1).map((second, index) => `${all[index] ?? ""}${second}`);

/** The terms of a text, each once: words, stems and pairs of neighbouring stems; of Chinese the characters and their pairs. */
export function termsOf(text: string): Set<string> {
  const plain = text.normalize("NFKC").toLowerCase();
  const words = plain.match(word) ?? [];
  const characters = (plain.match(run) ?? []).map((found) => [...found]);
  const stems = words.map(stemOf);
  return new Set([...words, ...stems, ...pairsOf(stems), ...characters.flat(), ...characters.flatMap(pairsOf)]);
}

/** A term that stands for the text as a whole, however it is written; none for signs alone. */
export function wholeTerm(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, " ")
    .trim();
  return plain === "" ? [] : [`=${plain}`];
}
