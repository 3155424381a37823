import { setTimeout as wait } from "node:timers/promises";
import type { GiveBack } from "./database.ts";

/** Pause before a name that another instance has is asked for again. */
const askAgainMs = 20;

/**
 * Asks for a name of the instances until it is free; undefined when it is not within `patienceMs`.
 * @throws StoreProblem
 */
export async function takeWhenFree(
  ask: () => Promise<GiveBack | undefined>,
  patienceMs = Infinity,
): Promise<GiveBack | undefined> {
  const beganAt = performance.now();
  for (;;) {
    const giveBack = await ask();
    if (giveBack || performance.now() - beganAt >= patienceMs) return giveBack;
    await wait(askAgainMs);
  }
}
