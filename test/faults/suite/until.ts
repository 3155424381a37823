import { setTimeout as wait } from "node:timers/promises";
import { patienceMs } from "../../support/eventually.ts";

/**
 * Asks until there is something.
 * @throws Error naming what was waited for, and why it was not there
 */
export async function until<T>(what: string, ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    let why: unknown;
    try {
      const found = await ask();
      if (found !== undefined) return found;
    } catch (error) {
      why = error;
    }
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`, { cause: why });
    await wait(25);
  }
}
