/** Upper and lower case, and the classes of characters. */

const isCased = (character: string) => /[\p{Lowercase}\p{Uppercase}\p{Lt}]/u.test(character);

/** Each word begins in upper case; a word begins behind any character without case. */
export function titleCase(text: string): string {
  let result = "";
  let isInside = false;
  for (const character of text) {
    result += isInside ? character.toLowerCase() : character.toUpperCase();
    isInside = isCased(character);
  }
  return result;
}

export function capitalize(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

export const swapCase = (text: string): string =>
  Array.from(text, (character) =>
    character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase(),
  ).join("");

/** Whether it has letters with case, and all of them this one. */
export const isLower = (text: string): boolean => /\p{Lowercase}/u.test(text) && !/[\p{Uppercase}\p{Lt}]/u.test(text);
export const isUpper = (text: string): boolean => /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text);

export function isTitle(text: string): boolean {
  let [isInside, hasCase] = [false, false];
  for (const character of text) {
    const startsWord = /[\p{Uppercase}\p{Lt}]/u.test(character);
    const isCasedHere = startsWord || /\p{Lowercase}/u.test(character);
    if (isCasedHere && startsWord === isInside) return false;
    isInside = isCasedHere;
    hasCase ||= isCasedHere;
  }
  return hasCase;
}

/** Raised, lowered and circled digits, which count as digits but not as decimals. */
const otherDigits =
  "\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792";

const allOf = (characters: string) => new RegExp(`^[${characters}]+$`, "u");

/** The tests of all characters of a text, by Python's names. */
export const characterTests: Readonly<Record<string, RegExp>> = {
  isalnum: allOf(`\\p{L}\\p{N}${otherDigits}`),
  isalpha: allOf("\\p{L}"),
  isascii: /^[\0-\x7f]*$/,
  isdecimal: allOf("\\p{Nd}"),
  isdigit: allOf(`\\p{Nd}${otherDigits}`),
  isidentifier: /^[\p{XID_Start}_]\p{XID_Continue}*$/u,
  isnumeric: allOf("\\p{N}"),
  isprintable: /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u,
  isspace: allOf("\\t-\\r\\x1c-\\x20\\x85\\p{Z}"),
};
