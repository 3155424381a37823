/** The bytes of a token that is only a part of a character and so has no text of its own. */

/** SentencePiece vocabularies name single bytes like this. */
const byteName = /^<0x([0-9A-Fa-f]{2})>$/;

/**
 * Byte-level BPE vocabularies write each byte as a character: printable Latin-1 bytes as themselves, the others as the
 * characters from U+0100 on, in order.
 */
function createByteAlphabet(): ReadonlyMap<string, number> {
  const isPlain = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte < 256 && byte !== 173);
  const alphabet = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) alphabet.set(String.fromCodePoint(isPlain(byte) ? byte : next++), byte);
  return alphabet;
}
const byteAlphabet = createByteAlphabet();

/** `name` is the token's name in the vocabulary, `text` what it decodes to by itself. */
export function tokenBytes(name: string | undefined, text: string): number[] {
  if (name === undefined || !text.includes("\uFFFD")) return [...Buffer.from(text)];
  const single = byteName.exec(name)?.[1];
  if (single !== undefined) return [Number.parseInt(single, 16)];
  const bytes = [...name].map((character) => byteAlphabet.get(character));
  return bytes.every((byte) => byte !== undefined) ? bytes : [...Buffer.from(text)];
}
