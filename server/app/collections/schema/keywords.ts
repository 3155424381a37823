import { standardKeywords } from "./meta-schemas.ts";

const letters = (word: string) => word.toLowerCase().replace(/[^a-z]/g, "");
const byLetters = new Map([...standardKeywords].map((word) => [letters(word), word]));

/** Whether one letter more, less, another or at another place makes one word the other. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || other.length < 4) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [rest, others] = [one.slice(start), other.slice(start)];
  const isSwap = rest[0] === others[1] && rest[1] === others[0] && rest.slice(2) === others.slice(2);
  return rest.slice(1) === others.slice(1) || rest.slice(1) === others || rest === others.slice(1) || isSwap;
}

/**
 * The keyword of the standard that a word is a misspelling of: `minlength`, `requierd`. Any other word is another program's,
 * and ignored.
 */
export function misspeltOf(word: string): string | undefined {
  if (standardKeywords.has(word) || word.startsWith("x-")) return undefined;
  const plain = letters(word);
  const same = byLetters.get(plain);
  if (same !== undefined) return same;
  return [...byLetters].find(([known]) => isNear(plain, known))?.[1];
}
