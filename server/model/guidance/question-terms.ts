/** Words of a text for looking it up: lower case, and pairs of characters where a script has no spaces between words. */

const word = /[\p{Script=Latin}\p{N}_]+/gu;
const run = /\p{Script=Han}+/gu;

/** The terms of a text, each as often as it is in there. */
export function termsOf(text: string): string[] {
  const plain = text.normalize("NFKC").toLowerCase();
  const words = plain.match(word) ?? [];
  const pairs = (plain.match(run) ?? []).flatMap((characters) => {
    const all = [...characters];
    return all.length === 1 ? all : all.slice(1).map((second, index) => `${all[index] ?? ""}${second}`);
  });
  return [...words, ...pairs];
}

/** A term that stands for the text as a whole, however it is written. */
export const wholeTerm = (text: string): string =>
  `=${text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, " ")
    .trim()}`;
