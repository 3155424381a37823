import { setTimeout as wait } from "node:timers/promises";

/** How long a test waits for a condition, as `expect.poll` does: a busy machine may be slow, which is not wrong. */
export const patienceMs = 120_000;

/** Repeats `read` until it no longer throws; throws what it threw last when that takes too long. */
export async function eventually<Value>(read: () => Value | Promise<Value>): Promise<Value> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await wait(50);
  }
}
