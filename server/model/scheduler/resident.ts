/** A model that is in memory or on its way there: who uses it, and when it may go. */
import type { LoadedModel, LoadRequest } from "../engine/engine.ts";
import type { InstalledModel } from "../library/library.ts";

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
  keepAliveMs: number;
  /** Takes no new requests; goes when its last user is done. */
  leaving: boolean;
  /** When it goes, in milliseconds since 1970, if nobody comes; Infinity for never. Undefined while it is in use. */
  expiresAt: number | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Listens to the engine's loss of the model. */
  readonly onLost: () => void;
}

/** What `ps` shows. */
export interface ResidentStatus {
  readonly model: InstalledModel;
  readonly contextLength: number;
  readonly size: number;
  readonly sizeVram: number;
  /** Infinity: stays until told otherwise. */
  readonly expiresAt: number;
}

/** Starts the time that an idle model has left; `onExpired` comes when it is over. */
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

export function statusOf(resident: Resident, now: number): ResidentStatus | undefined {
  if (resident.loaded === undefined) return undefined;
  const { contextLength, size, sizeVram } = resident.loaded;
  const expiresAt = resident.expiresAt ?? now + resident.keepAliveMs;
  return { model: resident.model, contextLength, size, sizeVram, expiresAt };
}
