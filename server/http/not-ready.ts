/** When the server is temporarily not ready (spec: Errors, 503): maintenance, and more work than it can take. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { unavailable } from "./http-error.ts";
import type { Middleware } from "./middleware.ts";

/** Answers 503 to everything while `on()` is true. */
export function maintenance(on: () => boolean): Middleware {
  return (_req, _res, next) => {
    if (on())
      throw unavailable("maintenance", "The server is in maintenance (setting maintenance): try again later.", 60);
    next();
  };
}

/** Answers 503 while the event loop is more than `limitMs` late: better a quick refusal than a slow answer to all. */
export function overload(lagMs: () => number, limitMs: number): Middleware {
  return (_req, _res, next) => {
    if (lagMs() > limitMs)
      throw unavailable("overloaded", "The server has more work than it can take: try again in a moment.", 1);
    next();
  };
}

/** Measures how late the event loop is, in ms, as the median over the last `windowMs`. */
export function measureLag(windowMs = 500): { lagMs: () => number; stop: () => void } {
  const resolutionMs = 20;
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let lag = 0;
  const sample = setInterval(() => {
    // What a turn took beyond the timer's own period.
    lag = histogram.count === 0 ? 0 : Math.max(0, histogram.percentile(50) / 1e6 - resolutionMs);
    histogram.reset();
  }, windowMs).unref();
  return {
    lagMs: () => lag,
    stop() {
      clearInterval(sample);
      histogram.disable();
    },
  };
}
