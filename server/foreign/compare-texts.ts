/** By code points, which is the order of bytes in UTF-8, unlike the language's own order. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
  if (Number.isNaN(a) || Number.isNaN(b)) return one.length - other.length;
  const isPair = (unit: number) => unit >= 0xd800 && unit < 0xe000;
  return isPair(a) === isPair(b) ? a - b : isPair(a) ? 1 : -1;
}
