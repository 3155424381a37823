/** The state of the scheduler: models that are loaded or loading, and requests that wait for one. */
import type { LoadedModel, LoadRequest } from "../engine.ts";
import type { InstalledModel } from "../../models/library/library.ts";
import type { LoadOptions } from "./load-options.ts";
import type { Lease } from "./port.ts";
import { startSharedTimer } from "../../../trace/span.ts";

/** The longest delay that a timer takes. */
const longestTimerMs = 2 ** 31 - 1;

/** A request that waits for its model. */
export interface Waiting {
  readonly request: LoadOptions;
  readonly key: string;
  /** That of the request, undefined where it has none; 0 where the model was to be unloaded since. */
  keepAliveMs: number | undefined;
  readonly resolve: (lease: Lease) => void;
  readonly reject: (reason: unknown) => void;
}

/** The places that a request takes of its model's. */
export const placesNeeded = ({ request: { needsPlace = true } }: Waiting) => (needsPlace ? 1 : 0);

/** The models for which others have waited for longer: they stay until those are served. */
const keysBefore = (queue: readonly Waiting[], waiting: Waiting): ReadonlySet<string> =>
  new Set(queue.slice(0, queue.indexOf(waiting)).map(({ key }) => key));

/** A model that is loaded or loading, with its users and its expiry. */
export interface Resident {
  readonly key: string;
  readonly model: InstalledModel;
  readonly request: LoadRequest;
  /** Undefined while it loads. */
  loaded: LoadedModel | undefined;
  /** Cancels the load. */
  readonly loading: AbortController;
  users: number;
  /** Those of its users that take one of its places. */
  places: number;
  keepAliveMs: number;
  /** Takes no new requests; unloaded when its last user is done. */
  leaving: boolean;
  /**
   * When it expires, in milliseconds since 1970, unless it is used; Infinity for never. Undefined while it is in use.
   */
  expiresAt: number | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Subscribes to the engine's loss of the model. */
  readonly onLost: () => void;
}

/** A model that is about to be loaded. */
export const startingResident = (
  start: Pick<Resident, "key" | "model" | "request" | "keepAliveMs" | "onLost">,
): Resident => ({
  ...start,
  loaded: undefined,
  loading: new AbortController(),
  users: 0,
  places: 0,
  leaving: false,
  expiresAt: undefined,
  timer: undefined,
});

/** The entry in `ps`. */
export interface ResidentStatus {
  readonly model: InstalledModel;
  readonly contextLength: number;
  readonly size: number;
  readonly sizeVram: number;
  /** Infinity: stays until it is unloaded on demand. */
  readonly expiresAt: number;
}

/** Starts the timer of an idle model; `onExpired` is called when it ends. */
export function startIdleTime(resident: Resident, now: number, onExpired: () => void): void {
  resident.expiresAt = now + resident.keepAliveMs;
  clearTimeout(resident.timer);
  const { expiresAt } = resident;
  const arm = () => {
    const leftMs = expiresAt - Date.now();
    if (leftMs <= 0) onExpired();
    else if (leftMs !== Infinity) resident.timer = startSharedTimer(arm, Math.min(leftMs, longestTimerMs)).unref();
  };
  resident.timer = undefined;
  if (resident.keepAliveMs > 0) arm();
  else onExpired();
}

export function stopIdleTime(resident: Resident): void {
  clearTimeout(resident.timer);
  resident.timer = undefined;
  resident.expiresAt = undefined;
}

/**
 * The model to make room for a request: one that leaves already, otherwise an idle one, otherwise any, with the shortest
 * keep-alive. Undefined where none may leave.
 */
export function nextToLeave(
  residents: Iterable<Resident>,
  queue: readonly Waiting[],
  waiting: Waiting,
): Resident | undefined {
  const staying = keysBefore(queue, waiting);
  return [...residents]
    .filter(({ key, loaded, leaving }) => loaded !== undefined && (leaving || !staying.has(key)))
    .sort(
      (a, b) =>
        Number(b.leaving) - Number(a.leaving) ||
        Number(a.users > 0) - Number(b.users > 0) ||
        a.keepAliveMs - b.keepAliveMs,
    )[0];
}

export function statusOf(resident: Resident, now: number): ResidentStatus | undefined {
  if (resident.loaded === undefined) return undefined;
  const { contextLength, size, sizeVram } = resident.loaded;
  const expiresAt = resident.expiresAt ?? now + resident.keepAliveMs;
  return { model: resident.model, contextLength, size, sizeVram, expiresAt };
}
