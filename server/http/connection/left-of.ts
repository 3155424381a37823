import type { ServerResponse } from "node:http";

/** Aborted when the client has left before it got its answer. */
export function leftOf(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  res.once("close", () => left.abort());
  return left.signal;
}
