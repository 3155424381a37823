/** A clock that can be moved, so that what takes hours to expire can be seen to expire. */
export interface AdjustableClock {
  /** Unix time in ms. */
  readonly now: () => number;
  /** How far it is ahead of the real clock. */
  offsetMs: number;
}

export function createAdjustableClock(realNow: () => number = Date.now): AdjustableClock {
  const clock: AdjustableClock = { now: () => realNow() + clock.offsetMs, offsetMs: 0 };
  return clock;
}
