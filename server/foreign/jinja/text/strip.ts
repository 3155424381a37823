/** Blanks and lines as Python knows them: its classes have other characters than the language's own `trim` and `\s`. */

const blanks = new Set(
  "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
);

export const isBlank = (character: string): boolean => blanks.has(character);

type Side = "both" | "left" | "right";

/** Without the characters at its ends; `characters` undefined strips blanks. */
export function strip(text: string, characters: string | undefined, side: Side = "both"): string {
  const stripped = characters === undefined ? blanks : new Set(characters);
  let [from, to] = [0, text.length];
  if (side !== "right")
    while (from < to && stripped.has(characterAt(text, from))) from += characterAt(text, from).length;
  if (side !== "left")
    while (to > from && stripped.has(characterBefore(text, to))) to -= characterBefore(text, to).length;
  return text.slice(from, to);
}

const characterAt = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 0);

function characterBefore(text: string, at: number): string {
  const isPair =
    at >= 2 && /[\udc00-\udfff]/.test(text[at - 1] as string) && /[\ud800-\udbff]/.test(text[at - 2] as string);
  return text.slice(isPair ? at - 2 : at - 1, at);
}

const lineEnds = "\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029";
const lineEnd = new RegExp(`\\r\\n|[${lineEnds}]`, "g");

/** The lines of a text, as `splitlines()` cuts them. */
export function splitPythonLines(text: string, keepsEnds = false): string[] {
  const lines: string[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(lineEnd)) {
    lines.push(text.slice(from, keepsEnds ? index + end.length : index));
    from = index + end.length;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/** The words between blanks, at most `most` cuts from the left. */
export function splitBlanks(text: string, most: number): string[] {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && isBlank(text[at] as string)) at++;
    if (at === text.length) return words;
    if (words.length === most) return [...words, text.slice(at)];
    const from = at;
    while (at < text.length && !isBlank(text[at] as string)) at++;
    words.push(text.slice(from, at));
  }
}
