export interface SupervisionTimes {
  /** A start that takes longer has failed. */
  readyWithinMs: number;
  healthEveryMs: number;
  healthTimeoutMs: number;
  /** Pause before the first restart; it doubles with each consecutive failure. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** A process that was up this long resets the count of failures. */
  stableAfterMs: number;
  /** A process that has not stopped by then is killed. Longer than a service's own grace period (parent-link.ts). */
  stopWithinMs: number;
}

export const defaultTimes: SupervisionTimes = {
  readyWithinMs: 30_000,
  healthEveryMs: 5_000,
  healthTimeoutMs: 5_000,
  firstPauseMs: 100,
  longestPauseMs: 10_000,
  stableAfterMs: 30_000,
  stopWithinMs: 5_000,
};
