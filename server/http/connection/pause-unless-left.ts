import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";

/** Waits so long, unless the caller leaves first. */
export async function pauseUnlessLeft(res: ServerResponse, ms: number): Promise<void> {
  if (ms === 0 || res.closed) return;
  const left = new AbortController();
  const leave = () => left.abort();
  res.once("close", leave);
  await setTimeout(ms, undefined, { signal: left.signal }).catch(() => undefined);
  res.off("close", leave);
}
