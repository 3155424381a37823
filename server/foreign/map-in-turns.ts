import { setImmediate } from "node:timers/promises";
import { OutOfTimeError, withinDeadline } from "./within-deadline.ts";

/** Others are served between two turns. */
const turnMs = 20;

/**
 * What `work` makes of each value, in their order; it may be broken off anywhere and begun again. Work that limits its own
 * time would start a timer's thread for each value: here all values of a turn have one limit, and the value at which it is
 * reached is tried again by itself.
 * @throws what `work` throws; the reason of `signal` once that is aborted
 */
export async function mapInTurns<In, Out>(
  values: readonly In[],
  work: (value: In, index: number) => Out,
  signal?: AbortSignal,
): Promise<Out[]> {
  const done: Out[] = [];
  const next = () => void done.push(work(values[done.length] as In, done.length));
  while (done.length < values.length) {
    signal?.throwIfAborted();
    const turnEnds = performance.now() + turnMs;
    try {
      withinDeadline(2 * turnMs, () => {
        while (done.length < values.length && performance.now() < turnEnds) next();
      });
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
      next();
    }
    await setImmediate();
  }
  return done;
}
