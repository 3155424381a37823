import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** An ordinary answer fits: only a reader that is far behind blocks a sequence of the model. */
const mostWaitingBytes = 1024 * 1024;

/**
 * Resolves when the reader's backlog is small enough, or the reader is gone. Writers of streams await it after each
 * piece: a slow reader then pauses its own generation, and no other.
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
