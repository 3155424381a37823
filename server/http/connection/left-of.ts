import type { ServerResponse } from "node:http";

/**
 * Aborted when the client has left before it had its whole answer. The response's close is what tells: the request's comes
 * as soon as its body has been read.
 */
export function leftOf(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  if (res.closed) left.abort();
  res.once("close", () => {
    if (!res.writableFinished) left.abort();
  });
  return left.signal;
}
