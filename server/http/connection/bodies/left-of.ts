import type { ServerResponse } from "node:http";

/**
 * A signal that aborts when the client leaves before the end of the answer. It uses the response's close event, because
 * the request closes as soon as its body was read.
 */
export function leftOf(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  if (res.closed) left.abort();
  res.once("close", () => {
    if (!res.writableFinished) left.abort();
  });
  return left.signal;
}
