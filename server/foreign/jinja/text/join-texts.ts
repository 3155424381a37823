import { tooManyCharacters } from "../../too-large-error.ts";

/** @throws TooLargeError for more than `most` characters */
export function joinTexts(separator: string, texts: readonly string[], most: number): string {
  let length = separator.length * Math.max(0, texts.length - 1);
  for (const text of texts) length += text.length;
  if (length > most) throw tooManyCharacters(most);
  return texts.join(separator);
}

/** The first `limit` occurrences replaced; an empty `old` is found around each character. @throws TooLargeError */
export function replaceText(text: string, old: string, replacement: string, limit: number, most: number): string {
  const parts = old === "" ? ["", ...text, ""] : text.split(old);
  if (parts.length - 1 <= limit) return joinTexts(replacement, parts, most);
  const head = parts.slice(0, limit + 1);
  return joinTexts(replacement, [...head.slice(0, -1), head.at(-1) + old + parts.slice(limit + 1).join(old)], most);
}
