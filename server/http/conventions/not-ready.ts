/** Refusals while the server is not ready (spec: Errors 503.1, 503.2): maintenance and overload. */
import { refuse } from "../http-error.ts";
import type { Middleware } from "../middleware.ts";

/** Answers 503 to everything while `on()` is true. */
export function maintenance(on: () => boolean): Middleware {
  return (_req, _res, next) => {
    if (on()) throw refuse("server.maintenance", undefined, { retryAfter: 60 });
    next();
  };
}

/**
 * Answers 503 while the event loop is more than `limitMs` late: a quick refusal is better than slow answers for all.
 */
export function overload(lagMs: () => number, limitMs: number): Middleware {
  return (_req, _res, next) => {
    if (lagMs() > limitMs) throw refuse("server.overloaded", undefined, { retryAfter: 1 });
    next();
  };
}

const tickMs = 250;
const ticks = 5;
/** The ticks without a question after which measuring pauses. */
const restAfterTicks = 8;

/**
 * Measures the delay of the event loop in ms: the median of the last ticks, because one long turn is no overload. It is
 * measured from the first question until some time after the last one, so that an idle process sleeps.
 */
export function measureLag(): { lagMs: () => number; stop: () => void } {
  const late = Array.from({ length: ticks }, () => 0);
  let last = 0;
  let lag = 0;
  let ticksLeft = 0;
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
    late.fill(0);
    lag = 0;
  }
  function tick(): void {
    const now = performance.now();
    late.shift();
    late.push(Math.max(0, now - last - tickMs));
    last = now;
    lag = late.toSorted((a, b) => a - b)[Math.floor(ticks / 2)] ?? 0;
    if (--ticksLeft === 0) stop();
  }

  return {
    lagMs() {
      ticksLeft = restAfterTicks;
      if (timer === undefined) {
        last = performance.now();
        timer = setInterval(tick, tickMs).unref();
      }
      return lag;
    },
    stop,
  };
}
