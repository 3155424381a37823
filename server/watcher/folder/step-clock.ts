/**
 * Answers "before which moment has every notification been delivered?". Two ticks of a timer fall into different turns
 * of the event loop, and each turn reads all pending notifications. So everything before the last tick but one has been
 * seen, even after the process was delayed or the machine slept.
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
