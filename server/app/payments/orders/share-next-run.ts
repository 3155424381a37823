import type { KeyedMutex } from "./keyed-mutex.ts";

/**
 * Callers who wait for an order's mutex to do the same share one run of it, which begins after all of them have asked.
 * However many there are, a caller waits for its own run and what was queued before.
 */
export function shareNextRun<T>(
  mutex: Pick<KeyedMutex, "run">,
  work: (outTradeNo: string) => Promise<T>,
): (outTradeNo: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (outTradeNo) => {
    const next = waiting.get(outTradeNo);
    if (next) return next;
    const forget = () => {
      if (waiting.get(outTradeNo) === run) waiting.delete(outTradeNo);
    };
    const run = mutex.run(outTradeNo, async () => {
      await Promise.resolve(); // until `run` is known
      forget();
      return work(outTradeNo);
    });
    waiting.set(outTradeNo, run);
    run.catch(forget); // when its turn never came
    return run;
  };
}
