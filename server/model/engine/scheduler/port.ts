/** The interface of the scheduler. */
import type { Engine, LoadedModel } from "../engine.ts";
import type { LoadOptions } from "./load-options.ts";
import type { ResidentStatus } from "./resident.ts";

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

export interface Scheduler {
  /** @throws OllamaError 503 when too many wait; EngineError; the signal's reason when aborted. */
  acquire(options: LoadOptions, signal: AbortSignal): Promise<Lease>;
  /** Unloads the model as soon as nobody uses it. */
  unload(model: LoadOptions["model"]): void;
  /** Unloads the models that nobody uses. Resolves when their memory is free: false where there were none. */
  unloadIdle(): Promise<boolean>;
  /** Loaded models, the one that stays longest first. */
  residents(): ResidentStatus[];
  /** Requests that wait for a model, and those that one works on. */
  demand(): { readonly waiting: number; readonly running: number };
  /** The engine's ids of the models that may be unloaded for this one: idle ones, and its own. */
  replaceable(model?: LoadOptions["model"]): string[];
  /** Unloads all models. */
  close(): Promise<void>;
}
