/** The needs of the scheduler, and the lease that it grants. */
import type { Engine, LoadedModel } from "../engine.ts";

export interface SchedulerOptions {
  readonly engine: Engine;
  /** How long a model stays when no request sets it; Infinity for ever. */
  readonly keepAliveMs: number;
  /** Models in memory at a time. */
  readonly maxLoaded: number;
  /** Requests that may wait for a load or for their turn. The one whose model is loading does not count. */
  readonly maxQueue: number;
  /** Generations at a time on one model; undefined: the engine decides by their memory. */
  readonly parallel?: number | undefined;
  readonly onLoaded?: (name: string) => void;
  readonly onUnloaded?: (name: string) => void;
}

/** The right to use a loaded model; `release` must be called once. */
export interface Lease {
  readonly loaded: LoadedModel;
  release(): void;
  /** Reports that the engine lost the model: the next request loads it again. */
  discard(): void;
}
