import type { IncomingMessage } from "node:http";

/**
 * Whether it is the whole file or something else, such as a page, shows only at the end of the reply: a server that makes its
 * replies up as it goes does not tell their length.
 */
export const isOfUnknownLength = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 && headers["content-length"] === undefined;

/**
 * The place in a file of `size` bytes at which the reply's body begins: 206 names it, and 200 has the whole file, as far as
 * it tells. Undefined for everything else, such as a redirect's text, another range or the page by which a network asks for
 * a login.
 */
export function firstByteOf(reply: IncomingMessage, size: number): number | undefined {
  const { statusCode, headers } = reply;
  if (statusCode === 200) return isOfUnknownLength(reply) || headers["content-length"] === String(size) ? 0 : undefined;
  const [, first, whole] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers["content-range"] ?? "") ?? [];
  const isOfFile = statusCode === 206 && (whole === "*" || Number(whole) === size);
  return isOfFile ? Number(first) : undefined;
}
