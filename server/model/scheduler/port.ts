/** The scheduler as the rest of the model service sees it. */
import type { Engine, LoadedModel } from "../engine/engine.ts";
import type { LoadOptions } from "./load-options.ts";
import type { ResidentStatus } from "./resident.ts";

export interface SchedulerOptions {
  readonly engine: Engine;
  /** How long a model stays when no request has said; Infinity for ever. */
  readonly keepAliveMs: number;
  /** Models in memory at a time. */
  readonly maxLoaded: number;
  /** Requests that may wait for a load or for their turn; the one that a model is being loaded for does not wait. */
  readonly maxQueue: number;
  /** Generations at a time on one model; undefined: the engine decides by the memory that they cost. */
  readonly parallel?: number | undefined;
  readonly onLoaded?: (name: string) => void;
  readonly onUnloaded?: (name: string) => void;
}

/** The right to use a loaded model; `release` must be called once. */
export interface Lease {
  readonly loaded: LoadedModel;
  release(): void;
  /** The engine does not have the model any more: the next request loads it again. */
  discard(): void;
}

export interface Scheduler {
  /** @throws OllamaError 503 when too many wait; EngineError; the signal's reason when aborted. */
  acquire(options: LoadOptions, signal: AbortSignal): Promise<Lease>;
  /** Sends the model away as soon as nobody uses it. */
  unload(model: LoadOptions["model"]): void;
  /** Models in memory now, the one that stays longest first. */
  residents(): ResidentStatus[];
  /** The engine's ids of those that may go when this model needs the memory: what nobody uses, and what it has itself. */
  replaceable(model?: LoadOptions["model"]): string[];
  /** Sends all models away. */
  close(): Promise<void>;
}
