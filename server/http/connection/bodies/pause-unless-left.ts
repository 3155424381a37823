import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";

/** Waits for `ms`, or until the caller disconnects. */
export async function pauseUnlessLeft(res: ServerResponse, ms: number): Promise<void> {
  if (ms === 0 || res.closed) return;
  const left = new AbortController();
  const leave = () => left.abort();
  res.once("close", leave);
  await setTimeout(ms, undefined, { signal: left.signal }).catch(() => undefined);
  res.off("close", leave);
}
