const stepMs = 250;

/**
 * Calls `act` once this process has run for `ms`; `clearInterval` takes that back. A stall, of this process or the whole
 * machine, counts as one step: what has come meanwhile has not been read.
 */
export function afterRunning(ms: number, act: () => void): NodeJS.Timeout {
  let steps = Math.ceil(ms / stepMs);
  const timer = setInterval(
    () => {
      if (--steps > 0) return;
      clearInterval(timer);
      act();
    },
    Math.min(ms, stepMs),
  );
  return timer;
}
