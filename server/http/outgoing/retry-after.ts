import type { IncomingMessage } from "node:http";

/** The pause of `Retry-After` in ms: seconds or a date (RFC 9110 @10.2.3). Undefined for any other value. */
export function retryAfterMs({ headers }: Pick<IncomingMessage, "headers">): number | undefined {
  const { "retry-after": text } = headers;
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}
