import { createAdjustableClock } from "../../server/time/adjustable-clock.ts";

/** A clock that does not go on by itself: only the test moves it. */
export function standingClock() {
  const startedAt = Date.now();
  return createAdjustableClock(() => startedAt);
}
