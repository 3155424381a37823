const stepMs = 250;

/**
 * Calls `act` once this process has run for `ms`; `clearInterval` cancels it. A stall of the process or the machine
 * counts as one step, because messages of that time have not been read yet.
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
