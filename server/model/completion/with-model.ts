/** Work on a loaded model: waits for it, gives it back, and tries once more when it went away before the work began. */
import type { LoadedModel } from "../engine/engine.ts";
import { isCode, ollamaErrorOf } from "../engine/engine-failure.ts";
import type { LoadOptions } from "../scheduler/load-options.ts";
import type { Lease, Scheduler } from "../scheduler/port.ts";

/** What has been begun on a model, and the lease that whoever goes on with it releases. */
export interface Begun<T> {
  readonly lease: Lease;
  readonly value: T;
}

/** The error as the client is to have it. The lease is not used for any other work where the model is gone. */
export function failedOn(lease: Lease | undefined, error: unknown): unknown {
  if (isCode(error, "not_loaded") || isCode(error, "lost")) lease?.discard();
  return ollamaErrorOf(error);
}

/** @throws OllamaError; the signal's reason when aborted. The model is given back then. */
export async function beginWithModel<T>(
  scheduler: Scheduler,
  options: LoadOptions,
  signal: AbortSignal,
  begin: (loaded: LoadedModel) => Promise<T>,
): Promise<Begun<T>> {
  for (let attempt = 1; ; attempt++) {
    let lease: Lease | undefined;
    try {
      lease = await scheduler.acquire(options, signal);
      return { lease, value: await begin(lease.loaded) };
    } catch (error) {
      const failure = failedOn(lease, error);
      lease?.release();
      // The model went away between grant and start, as when the runner was just restarted: it is loaded again, once.
      if (attempt > 1 || !isCode(error, "not_loaded")) throw failure;
    }
  }
}

/** The same for work that is done when its promise resolves. */
export async function withModel<T>(
  scheduler: Scheduler,
  options: LoadOptions,
  signal: AbortSignal,
  work: (loaded: LoadedModel) => Promise<T>,
): Promise<T> {
  const { lease, value } = await beginWithModel(scheduler, options, signal, work);
  lease.release();
  return value;
}

/**
 * Begins with a model that may have to be loaded; meanwhile yields what `report` makes of how much of it is loaded, from 0
 * to 1. `end`: for what was begun when the caller has left in between.
 */
export async function* reportLoading<T, Item>(
  begin: (onLoading: (fraction: number) => void) => Promise<T>,
  report: (fraction: number) => Item,
  end: (begun: T) => unknown,
): AsyncGenerator<Item, T> {
  let fraction: number | undefined;
  let isSettled = false;
  let isTaken = false;
  let news = Promise.withResolvers<void>();
  const onLoading = (loaded: number) => {
    fraction = loaded;
    news.resolve();
  };
  const begun = begin(onLoading).finally(() => {
    isSettled = true;
    news.resolve();
  });
  // It may fail while nobody asks for the next news.
  begun.catch(() => undefined);
  try {
    for (;;) {
      await news.promise;
      news = Promise.withResolvers();
      const reported = fraction;
      fraction = undefined;
      if (reported !== undefined) yield report(reported);
      if (!isSettled) continue;
      const value = await begun;
      isTaken = true;
      return value;
    }
  } finally {
    if (!isTaken) begun.then(end).catch(() => undefined);
  }
}
