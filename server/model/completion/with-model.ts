/** Work on a loaded model: waits for it, gives it back, and tries once more when it went away before the work began. */
import type { LoadedModel } from "../engine/engine.ts";
import { isCode, ollamaErrorOf } from "../engine/engine-failure.ts";
import type { LoadOptions } from "../scheduler/load-options.ts";
import type { Lease, Scheduler } from "../scheduler/port.ts";

export interface Work<T> {
  readonly signal: AbortSignal;
  /** What to yield of a load under way; without it nothing. */
  readonly loading?: (fraction: number) => T;
}

/** Waits for the model; yields what `loading` makes of how much of it is loaded. */
async function* acquireWithProgress<T>(
  scheduler: Scheduler,
  options: LoadOptions,
  { signal, loading }: Required<Work<T>>,
): AsyncGenerator<T, Lease> {
  let fraction: number | undefined;
  let isSettled = false;
  let isTaken = false;
  let news = Promise.withResolvers<void>();
  const onLoading = (loaded: number) => {
    fraction = loaded;
    news.resolve();
  };
  const granted = scheduler.acquire({ ...options, onLoading }, signal).finally(() => {
    isSettled = true;
    news.resolve();
  });
  // It may fail while nobody asks for the next news.
  granted.catch(() => undefined);
  try {
    for (;;) {
      await news.promise;
      news = Promise.withResolvers();
      const reported = fraction;
      fraction = undefined;
      if (reported !== undefined) yield loading(reported);
      if (!isSettled) continue;
      const lease = await granted;
      isTaken = true;
      return lease;
    }
  } finally {
    // Whoever leaves in between takes no lease along.
    if (!isTaken)
      granted.then(
        (lease) => lease.release(),
        () => undefined,
      );
  }
}

/**
 * Yields what the work yields.
 * @throws OllamaError; the signal's reason when aborted.
 */
export async function* streamWithModel<T>(
  scheduler: Scheduler,
  request: LoadOptions,
  { signal, loading }: Work<T>,
  work: (loaded: LoadedModel) => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  let begun = false;
  for (let attempt = 1; ; attempt++) {
    let lease: Lease | undefined;
    try {
      if (loading === undefined) lease = await scheduler.acquire(request, signal);
      else lease = yield* acquireWithProgress(scheduler, request, { signal, loading });
      for await (const item of work(lease.loaded)) {
        begun = true;
        yield item;
      }
      return;
    } catch (error) {
      if (isCode(error, "not_loaded") || isCode(error, "lost")) lease?.discard();
      // The model went away between grant and start, as when the runner was just restarted: it is loaded again, once.
      const again = !begun && attempt === 1 && isCode(error, "not_loaded");
      if (!again) throw ollamaErrorOf(error);
    } finally {
      lease?.release();
    }
  }
}

/** The same for work with one result. */
export async function withModel<T>(
  scheduler: Scheduler,
  wanted: LoadOptions,
  signal: AbortSignal,
  work: (loaded: LoadedModel) => Promise<T>,
): Promise<T> {
  const once = streamWithModel(scheduler, wanted, { signal }, async function* (loaded) {
    yield await work(loaded);
  });
  for await (const result of once) return result;
  throw new Error("the work ended without a result");
}
