/** A model that is loaded or loading, with its users and its expiry. */
import type { LoadedModel, LoadRequest } from "../engine.ts";
import type { InstalledModel } from "../../models/library/library.ts";

/** The longest delay that a timer takes. */
const longestTimerMs = 2 ** 31 - 1;

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
  given: Pick<Resident, "key" | "model" | "request" | "keepAliveMs" | "onLost">,
): Resident => ({
  ...given,
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
    else if (leftMs !== Infinity) resident.timer = setTimeout(arm, Math.min(leftMs, longestTimerMs)).unref();
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
 * The next model to make room: one that leaves already, else an idle one, else any, with the shortest keep-alive.
 *
 * @param staying the keys of those that do not begin to leave
 */
export const nextToLeave = (
  residents: Iterable<Resident>,
  staying: ReadonlySet<string> = new Set(),
): Resident | undefined =>
  [...residents]
    .filter(({ key, loaded, leaving }) => loaded !== undefined && (leaving || !staying.has(key)))
    .sort(
      (a, b) =>
        Number(b.leaving) - Number(a.leaving) ||
        Number(a.users > 0) - Number(b.users > 0) ||
        a.keepAliveMs - b.keepAliveMs,
    )[0];

export function statusOf(resident: Resident, now: number): ResidentStatus | undefined {
  if (resident.loaded === undefined) return undefined;
  const { contextLength, size, sizeVram } = resident.loaded;
  const expiresAt = resident.expiresAt ?? now + resident.keepAliveMs;
  return { model: resident.model, contextLength, size, sizeVram, expiresAt };
}
