/** Refusals while the server is not ready (spec: Errors 503.1, 503.2): maintenance and overload. */
import { unavailable } from "../http-error.ts";
import type { Middleware } from "../middleware.ts";

/** Answers 503 to everything while `on()` is true. */
export function maintenance(on: () => boolean): Middleware {
  return (_req, _res, next) => {
    if (on())
      throw unavailable("maintenance", "The server is in maintenance (setting maintenance): try again later.", 60);
    next();
  };
}

/**
 * Answers 503 while the event loop is more than `limitMs` late: a quick refusal is better than slow answers for all.
 */
export function overload(lagMs: () => number, limitMs: number): Middleware {
  return (_req, _res, next) => {
    if (lagMs() > limitMs)
      throw unavailable("overloaded", "The server has more work than it can take: try again in a moment.", 1);
    next();
  };
}

/** How often it is measured: not so often that an idle processor stays awake. */
const tickMs = 250;
const ticks = 5;

/** Measures the delay of the event loop in ms: the median of the last ticks, because one long turn is no overload. */
export function measureLag(): { lagMs: () => number; stop: () => void } {
  const late = Array.from({ length: ticks }, () => 0);
  let last = performance.now();
  let lag = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    late.shift();
    late.push(Math.max(0, now - last - tickMs));
    last = now;
    lag = late.toSorted((a, b) => a - b)[Math.floor(ticks / 2)] ?? 0;
  }, tickMs).unref();
  return {
    lagMs: () => lag,
    stop: () => clearInterval(timer),
  };
}
