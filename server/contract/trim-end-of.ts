/** `text` without trailing `characters`. A pattern such as `x+$` would be tried from every position of the text. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
