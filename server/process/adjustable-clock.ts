/** A clock that can be moved, so that what takes hours to expire can be seen to expire. */
export interface AdjustableClock {
  /** Unix time in ms. */
  readonly now: () => number;
  /** How far it is ahead of the real clock. */
  offsetMs: number;
  /** Calls `listen` with the new offset whenever somebody has moved the clock. Returns the way to end that. */
  onMove(listen: (offsetMs: number) => void): () => void;
  /** Runs once when the clock shows `due` (Unix ms), also where somebody moves it there. Returns the way to call it off. */
  readonly wakeAt: WakeAt;
}

export type WakeAt = (due: number, run: () => void) => () => void;

/** Node takes a longer wait for none at all. */
const longestWaitMs = 2 ** 31 - 1;

export function createAdjustableClock(realNow: () => number = Date.now): AdjustableClock {
  let offsetMs = 0;
  /** What waits, with the way to set its timer anew. */
  const waiting = new Set<() => void>();
  const listeners = new Set<(offsetMs: number) => void>();
  const now = () => realNow() + offsetMs;

  function wakeAt(due: number, run: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      clearTimeout(timer);
      waiting.delete(wait);
    };
    function wait(): void {
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          if (now() < due) return wait();
          stop();
          run();
        },
        Math.min(Math.max(due - now(), 0), longestWaitMs),
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
