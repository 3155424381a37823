/**
 * The text of a file that a person chose; undefined for one that cannot be read, or is none. By its byte-order mark, else UTF-8,
 * else GB 18030: what is not UTF-8 is mostly from a spreadsheet program of a Chinese system.
 */
export async function readText(file: Blob): Promise<string | undefined> {
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (!bytes) return undefined;
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  const marked =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : undefined;
  for (const encoding of marked === undefined ? ["utf-8", "gb18030"] : [marked]) {
    const text = decoded(bytes, encoding);
    // No text has zeros, but other files do, and some of them would pass.
    if (text !== undefined) return text.includes("\0") ? undefined : text;
  }
  return undefined;
}

function decoded(bytes: ArrayBuffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
