import { setTimeout as wait } from "node:timers/promises";
import type { ReleaseLock } from "./database.ts";

/** Pause before the next attempt to lock a name that another instance has. */
const askAgainMs = 20;

/**
 * Tries to lock a name until it is free; undefined when it is not within `patienceMs`.
 * @throws StoreProblem
 */
export async function takeWhenFree(
  take: () => Promise<ReleaseLock | undefined>,
  patienceMs = Infinity,
): Promise<ReleaseLock | undefined> {
  const beganAt = performance.now();
  for (;;) {
    const release = await take();
    if (release || performance.now() - beganAt >= patienceMs) return release;
    await wait(askAgainMs);
  }
}
