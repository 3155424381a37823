import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** An ordinary answer fits: only a reader that is far behind keeps a sequence of the model busy. */
const mostWaitingBytes = 1024 * 1024;

/**
 * Resolves when what waits for the reader is not too much, or the reader is gone. Whoever writes a stream asks after each
 * piece: a slow reader then holds up its own generation, and no other.
 */
export async function awaitReader(res: ServerResponse): Promise<void> {
  if (res.writableLength <= mostWaitingBytes || res.destroyed) return;
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(res, "drain", { signal }), once(res, "close", { signal })]);
  } finally {
    over.abort();
  }
}
