import { runInSpan } from "../trace/span.ts";

/** A clock that can be moved, so that long expiry times can be tested. */
export interface AdjustableClock {
  /** Unix time in ms. */
  readonly now: () => number;
  /** The offset from the real clock. */
  offsetMs: number;
  /** Calls `listen` with the new offset whenever the clock is moved. Returns the unsubscribe function. */
  onMove(listen: (offsetMs: number) => void): () => void;
  /**
   * Runs once when the clock reaches `due` (Unix ms), also by being moved. After the clock or the system's clock is put
   * back, it waits no longer than at first. Returns the function that cancels it.
   */
  readonly wakeAt: WakeAt;
}

export type WakeAt = (due: number, run: () => void) => () => void;

/** Node ignores longer waits and fires at once. */
const longestTimerMs = 2 ** 31 - 1;

export function createAdjustableClock(realNow: () => number = Date.now): AdjustableClock {
  let offsetMs = 0;
  /** Waiting calls: each function resets its own timer. */
  const waiting = new Set<() => void>();
  const listeners = new Set<(offsetMs: number) => void>();
  const now = () => realNow() + offsetMs;

  function wakeAt(due: number, run: () => void): () => void {
    const longestMs = Math.max(due - now(), 0);
    let until = due;
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      clearTimeout(timer);
      waiting.delete(wait);
    };
    function wait(): void {
      clearTimeout(timer);
      until = Math.min(until, now() + longestMs);
      timer = setTimeout(
        () => {
          if (now() < until) return wait();
          stop();
          runInSpan(undefined, run); // whoever set the time, it is work of its own
        },
        Math.min(Math.max(until - now(), 0), longestTimerMs),
      );
    }
    waiting.add(wait);
    wait();
    return stop;
  }

  return {
    now,
    get offsetMs() {
      return offsetMs;
    },
    set offsetMs(ms) {
      offsetMs = ms;
      for (const wait of [...waiting]) wait();
      for (const listen of listeners) listen(ms);
    },
    onMove(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    wakeAt,
  };
}
