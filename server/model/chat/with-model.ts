/**
 * Runs work on a loaded model: waits for the model, releases it, and retries once when it was unloaded before the work
 * began, or when the work needs memory that idle models have.
 */
import type { LoadedModel } from "../engine/engine.ts";
import { isEngineError, ollamaErrorOf } from "../engine/engine-failure.ts";
import type { LoadOptions } from "../engine/scheduler/load-options.ts";
import type { Lease } from "../engine/scheduler/port.ts";
import type { Scheduler } from "../engine/scheduler/scheduler.ts";

/** Work that was started on a model, and the lease to release after it. */
export interface BegunWork<T> {
  readonly lease: Lease;
  readonly value: T;
}

/** Maps an error for the client. If the model is gone, its lease is not used again. */
export function failedOn(lease: Lease | undefined, error: unknown): unknown {
  if (isEngineError(error, "not_loaded") || isEngineError(error, "lost")) lease?.discard();
  return ollamaErrorOf(error);
}

/** @throws OllamaError; the signal's reason when aborted. The model is released then. */
export async function beginWithModel<T>(
  scheduler: Scheduler,
  options: LoadOptions,
  signal: AbortSignal,
  begin: (loaded: LoadedModel) => Promise<T>,
): Promise<BegunWork<T>> {
  for (let attempt = 1; ; attempt++) {
    let lease: Lease | undefined;
    try {
      lease = await scheduler.acquire(options, signal);
      return { lease, value: await begin(lease.loaded) };
    } catch (error) {
      const failure = failedOn(lease, error);
      // Before the release, which would make this model an idle one. The scheduler itself finds the memory for a load.
      const hasRoom = attempt === 1 && lease && isEngineError(error, "out_of_memory") && (await scheduler.unloadIdle());
      lease?.release();
      // The model was unloaded between grant and start, for example by a restart of the runner. It is loaded again,
      // once.
      if (attempt > 1 || !(hasRoom || isEngineError(error, "not_loaded"))) throw failure;
    }
  }
}

/** The same for work that ends when its promise resolves. */
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
 * Starts work on a model that may have to be loaded; meanwhile yields `report` of the loaded share, from 0 to 1. `end`
 * cleans up started work when the caller left in between.
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
  // It may fail while nobody awaits the next progress.
  begun.catch(() => undefined);
  try {
    for (;;) {
      await news.promise;
      news = Promise.withResolvers();
      const latest = fraction;
      fraction = undefined;
      if (latest !== undefined) yield report(latest);
      if (!isSettled) continue;
      const value = await begun;
      isTaken = true;
      return value;
    }
  } finally {
    if (!isTaken) begun.then(end).catch(() => undefined);
  }
}
