import type { IncomingMessage } from "node:http";

/**
 * Whether the length of a reply is unknown until its end, as for replies that a server generates while sending. Then
 * only the end shows whether it was the whole file or something else, such as an error page.
 */
export const isOfUnknownLength = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 && headers["content-length"] === undefined;

/**
 * The position in a file of `size` bytes at which the reply's body begins: 206 names it, and 200 contains the whole
 * file. Undefined for all other replies, such as a redirect, another range or a network's login page.
 */
export function firstByteOf(reply: IncomingMessage, size: number): number | undefined {
  const { statusCode, headers } = reply;
  if (statusCode === 200) return isOfUnknownLength(reply) || headers["content-length"] === String(size) ? 0 : undefined;
  const [, first, whole] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers["content-range"] ?? "") ?? [];
  const isOfFile = statusCode === 206 && (whole === "*" || Number(whole) === size);
  return isOfFile ? Number(first) : undefined;
}
