/** A clock that can be moved, so that long expiry times can be tested. */
export interface AdjustableClock {
  /** Unix time in ms. */
  readonly now: () => number;
  /** How far it is ahead of the real clock. */
  offsetMs: number;
  /** Calls `listen` with the new offset whenever the clock is moved. Returns the unsubscribe function. */
  onMove(listen: (offsetMs: number) => void): () => void;
  /**
   * Runs once when the clock reaches `due` (Unix ms), also by being moved. Once the clock is put back, this one or the
   * system's, it waits no longer than it would have at first. Returns the function that cancels it.
   */
  readonly wakeAt: WakeAt;
}

export type WakeAt = (due: number, run: () => void) => () => void;

/** Node ignores longer waits and fires at once. */
const longestTimerMs = 2 ** 31 - 1;

export function createAdjustableClock(realNow: () => number = Date.now): AdjustableClock {
  let offsetMs = 0;
  /** What waits: each function resets its own timer. */
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
          run();
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
