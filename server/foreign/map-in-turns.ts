import { setImmediate } from "node:timers/promises";
import { OutOfTimeError, withinDeadline } from "./within-deadline.ts";

/** Other requests are served between two turns. */
const turnMs = 20;

/**
 * The results of `work` for each value, in order. Work may be aborted anywhere and restarted. A time limit for each
 * value would start a thread each time: all values of a turn share one limit, and the value at which it expires is
 * tried again alone.
 * @throws the error of `work`; the reason of `signal` once that is aborted
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
