/**
 * Answers "up to which moment has every notification been delivered?". A timer's tick and the next one lie in different
 * turns of the event loop, and each turn takes in all notifications there are; so at any time everything from before the
 * last tick but one has been seen, also after the process was held up or the machine slept.
 */
export interface StepClock {
  /** Milliseconds since 1970. */
  readonly seenUntil: () => number;
  readonly stop: () => void;
}

export function createStepClock(tickMs = 500): StepClock {
  let lastTick = Date.now();
  let lastTickButOne = lastTick;
  const timer = setInterval(() => {
    lastTickButOne = lastTick;
    lastTick = Date.now();
  }, tickMs).unref();
  return { seenUntil: () => lastTickButOne, stop: () => clearInterval(timer) };
}
