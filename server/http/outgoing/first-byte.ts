import type { IncomingMessage } from "node:http";

/**
 * The place in a file of `size` bytes at which the reply's body begins: 206 names it, and 200 has the whole file, whose
 * length a server that makes its replies up as it goes does not tell. Undefined for everything else, such as a redirect's text, another range or the page by which a network asks for a login.
 */
export function firstByteOf({ statusCode, headers }: IncomingMessage, size: number): number | undefined {
  if (statusCode === 200) return [undefined, String(size)].includes(headers["content-length"]) ? 0 : undefined;
  const [, first, whole] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers["content-range"] ?? "") ?? [];
  const isOfFile = statusCode === 206 && (whole === "*" || Number(whole) === size);
  return isOfFile ? Number(first) : undefined;
}
