import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Compares a text with the token in constant time. */
export function createTokenCheck(token: string): (text: string | undefined) => boolean {
  const expected = digest(token);
  return (text) => text !== undefined && timingSafeEqual(digest(text), expected);
}

/** The token in `Authorization: Bearer`. */
export const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
