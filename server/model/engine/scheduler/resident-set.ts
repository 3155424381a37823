/** The models in memory: loading, in use, idle, and on their way out. */
import { shortName } from "../../models/library/model-name.ts";
import { weightsKey, type LoadOptions } from "./load-options.ts";
import { startIdleTime, statusOf, stopIdleTime, type Resident, type ResidentStatus } from "./resident.ts";

export interface ResidentEvents {
  /** The model takes no more requests; its memory may still be in use. */
  readonly onForgotten: () => void;
  /** The memory of the model is free. */
  readonly onUnloaded: (name: string) => void;
}

/**
 * At most one model per file of weights. A model that leaves is forgotten at once, so that a request loads it anew; its
 * memory is free when `departures` resolves.
 */
export class ResidentSet {
  readonly #byKey = new Map<string, Resident>();
  /** Unloads under way. */
  readonly #departing = new Set<Promise<void>>();
  readonly #events: ResidentEvents;

  constructor(events: ResidentEvents) {
    this.#events = events;
  }

  get all(): Resident[] {
    return [...this.#byKey.values()];
  }

  /** Those that take memory: all but scripted ones. */
  get inMemory(): Resident[] {
    return this.all.filter(({ request }) => request.rules === undefined);
  }

  get(key: string): Resident | undefined {
    return this.#byKey.get(key);
  }

  has(resident: Resident): boolean {
    return this.#byKey.get(resident.key) === resident;
  }

  add(resident: Resident): void {
    this.#byKey.set(resident.key, resident);
  }

  forget(resident: Resident): void {
    stopIdleTime(resident);
    resident.loaded?.lost.removeEventListener("abort", resident.onLost);
    if (this.has(resident)) this.#byKey.delete(resident.key);
    this.#events.onForgotten();
  }

  startIdle(resident: Resident): void {
    startIdleTime(resident, Date.now(), () => this.sendAway(resident));
  }

  /** Unloads the model, after its last request. */
  sendAway(resident: Resident): void {
    resident.leaving = true;
    if (resident.users > 0 || resident.loaded === undefined) return;
    this.forget(resident);
    const departure = resident.loaded.unload().finally(() => {
      this.#departing.delete(departure);
      this.#events.onUnloaded(shortName(resident.model.name));
    });
    this.#departing.add(departure);
  }

  /** Keeps the models in use that were to leave. */
  keepUsed(): void {
    for (const resident of this.all) if (resident.users > 0) resident.leaving = false;
  }

  /** Resolves when the unloads under way have ended: false where there were none. */
  async departures(): Promise<boolean> {
    const departing = [...this.#departing];
    await Promise.all(departing);
    return departing.length > 0;
  }

  /** Unloads the models that nobody uses. Resolves when their memory is free: false where there were none. */
  unloadIdle(): Promise<boolean> {
    for (const resident of this.all) if (resident.users === 0 && resident.loaded !== undefined) this.sendAway(resident);
    return this.departures();
  }

  /** The engine's ids of the models that may be unloaded for this one: idle ones, and its own. */
  replaceable(model?: LoadOptions["model"]): string[] {
    const own = model === undefined ? undefined : weightsKey(model);
    return this.all.flatMap(({ key, users, loaded }) => (users === 0 || key === own ? (loaded?.id ?? []) : []));
  }

  /** Loaded models, the one that stays longest first. */
  statuses(): ResidentStatus[] {
    const now = Date.now();
    const statuses = this.all.flatMap((resident) => statusOf(resident, now) ?? []);
    return statuses.sort((a, b) => b.expiresAt - a.expiresAt);
  }

  /** Unloads all models. */
  async close(): Promise<void> {
    for (const resident of this.all) {
      resident.loading.abort();
      this.sendAway(resident);
    }
    await this.departures();
  }
}
