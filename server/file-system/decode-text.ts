/** The bytes that begin a text in UTF-16. */
const marks = { "utf-16le": [0xff, 0xfe], "utf-16be": [0xfe, 0xff] } as const;

/** The bytes are no text; the message says so. */
export class NotTextError extends Error {
  override readonly name = "NotTextError";
}

/**
 * The text of a user's file, without its byte order mark: UTF-8, or UTF-16 with a mark, as PowerShell's `>` writes it.
 * @throws NotTextError for other bytes; with `lenient` they become U+FFFD instead
 */
export function decodeText(bytes: Uint8Array, { lenient = false } = {}): string {
  const isMarked = (encoding: keyof typeof marks) => marks[encoding].every((byte, at) => bytes[at] === byte);
  const encoding = isMarked("utf-16le") ? "utf-16le" : isMarked("utf-16be") ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: !lenient }).decode(bytes);
  } catch (error) {
    throw new NotTextError("it is neither UTF-8 nor UTF-16", { cause: error });
  }
}
