import { EngineError, type LoadedModel } from "../engine.ts";
import { isEngineError } from "../engine-failure.ts";
import { shortName } from "../../models/library/model-name.ts";
import { OllamaError } from "../../ollama-error.ts";
import { loadRequestOf, serves, weightsKey, type LoadOptions } from "./load-options.ts";
import type { Lease, SchedulerOptions } from "./port.ts";
import type { Resident, ResidentStatus, Waiting } from "./resident.ts";
import { nextToLeave, placesNeeded, startingResident, stopIdleTime } from "./resident.ts";
import { ResidentSet } from "./resident-set.ts";

const busy = "server busy, please try again.  maximum pending requests exceeded";

/**
 * Decides which models are loaded and who uses them. It loads on demand, one model at a time, first come first served;
 * keeps a model for the time that its last request asked for; and makes room by unloading the model with the shortest
 * keep-alive, an idle one where there is one. It knows the engine by its port only, and nothing of HTTP.
 *
 * States of a model: loading → in use ⇄ idle → leaving → gone. An idle model leaves when its time is over, or when its
 * place is needed; one in use leaves after its last request. A load that nobody waits for any more is cancelled.
 *
 * Every method may be called at any time, and by many requests at once: all of them run to their first `await` without an
 * interruption, and the queue advances after each change. `release` of a lease must be called once.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #residents: ResidentSet;
  #queue: Waiting[] = [];
  /** Resolves when a request leaves the queue, or a model the memory. */
  #progress = Promise.withResolvers<void>();
  #isLoading = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#residents = new ResidentSet({
      onForgotten: () => this.#reportProgress(),
      onUnloaded: (name) => this.#afterUnload(name),
    });
  }

  /** @throws OllamaError 503 when too many wait; EngineError; the signal's reason when aborted. */
  async acquire(request: LoadOptions, signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Lease>();
    const { model, keepAliveMs } = request;
    const waiting: Waiting = { request, key: weightsKey(model), keepAliveMs, resolve, reject };
    this.#queue.push(waiting);
    this.#advance();
    if (this.#waitingCount() > this.#options.maxQueue && this.#queue.at(-1) === waiting) {
      this.#cancel(waiting);
      throw new OllamaError(503, busy);
    }
    const onAbort = () => {
      this.#cancel(waiting);
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", onAbort));
  }

  /** Unloads the model as soon as nobody uses it. */
  unload(model: LoadOptions["model"]): void {
    const key = weightsKey(model);
    // They came before, and the latest keep-alive counts.
    for (const waiting of this.#queue) if (waiting.key === key) waiting.keepAliveMs = 0;
    const resident = this.#residents.get(key);
    if (resident === undefined) return;
    // Those that it answers, and those that wait for it, are served first: nobody waits for a long answer of another.
    if (resident.loaded === undefined || resident.users > 0) resident.keepAliveMs = 0;
    else this.#residents.sendAway(resident);
  }

  /** Unloads the models that nobody uses. Resolves when their memory is free: false where there were none. */
  unloadIdle(): Promise<boolean> {
    return this.#residents.unloadIdle();
  }

  /** Requests that wait for a model, and those that one works on. */
  demand(): { readonly waiting: number; readonly running: number } {
    const running = this.#residents.all.reduce((sum, { users }) => sum + users, 0);
    return { waiting: this.#queue.length, running };
  }

  /** The engine's ids of the models that may be unloaded for this one: idle ones, and its own. */
  replaceable(model?: LoadOptions["model"]): string[] {
    return this.#residents.replaceable(model);
  }

  /** Loaded models, the one that stays longest first. */
  residents(): ResidentStatus[] {
    return this.#residents.statuses();
  }

  /** Unloads all models. */
  close(): Promise<void> {
    return this.#residents.close();
  }

  #afterUnload(name: string): void {
    this.#options.onUnloaded?.(name);
    this.#advance();
  }

  #reportProgress(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }

  #dequeue(waiting: Waiting): void {
    this.#queue = this.#queue.filter((other) => other !== waiting);
    this.#reportProgress();
  }

  #release(resident: Resident, places: number): void {
    resident.users--;
    resident.places -= places;
    if (!this.#residents.has(resident)) return;
    if (resident.users === 0 && resident.leaving) this.#residents.sendAway(resident);
    this.#advance(); // those that wait for it come first
    if (resident.users === 0 && !resident.leaving) this.#residents.startIdle(resident);
  }

  #grant(waiting: Waiting, resident: Resident, loaded: LoadedModel): void {
    const places = placesNeeded(waiting);
    stopIdleTime(resident);
    resident.users++;
    resident.places += places;
    resident.keepAliveMs = waiting.keepAliveMs ?? resident.keepAliveMs;
    let released = false;
    waiting.resolve({
      loaded,
      release: () => {
        if (released) return;
        released = true;
        this.#release(resident, places);
      },
      discard: resident.onLost,
    });
  }

  /** The engine lost the model; its users get the error from the engine. */
  #onLost(resident: Resident): void {
    if (!this.#residents.has(resident)) return;
    this.#residents.forget(resident);
    void resident.loaded?.unload();
    this.#afterUnload(shortName(resident.model.name));
  }

  /** Has one of these models leave, after its requests. Returns when one has left, or the request that it is for. */
  async #makeRoom(present: readonly Resident[], waiting: Waiting): Promise<void> {
    const areThere = () => present.every((resident) => this.#residents.has(resident));
    while (areThere() && this.#queue.includes(waiting)) {
      const { promise } = this.#progress;
      const victim = nextToLeave(present, this.#queue, waiting);
      if (victim) this.#residents.sendAway(victim);
      await promise;
    }
  }

  /** Loads; while memory is short, has one model after another leave, and retries. */
  async #loadWithRoom(resident: Resident, waiting: Waiting): Promise<LoadedModel> {
    const { signal } = resident.loading;
    const report = (fraction: number) => {
      for (const { key, request } of this.#queue) if (key === resident.key) request.onLoading?.(fraction);
    };
    for (;;) {
      await this.#residents.departures();
      try {
        return await this.#options.engine.load(resident.request, signal, report);
      } catch (error) {
        const present = this.#residents.inMemory.filter(({ loaded }) => loaded !== undefined);
        if (!isEngineError(error, "out_of_memory") || present.length === 0) throw error;
        await this.#makeRoom(present, waiting);
        if (!this.#queue.includes(waiting)) throw error;
      }
    }
  }

  async #load(waiting: Waiting): Promise<void> {
    const { request, key } = waiting;
    const resident = startingResident({
      key,
      model: request.model,
      request: loadRequestOf(request, this.#options.parallel),
      keepAliveMs: waiting.keepAliveMs ?? this.#options.keepAliveMs,
      onLost: () => this.#onLost(resident),
    });
    // There is room, perhaps in the place of another than the one that was to leave.
    this.#residents.keepUsed();
    this.#residents.add(resident);
    this.#isLoading = true;
    try {
      const loaded = await this.#loadWithRoom(resident, waiting);
      resident.loaded = loaded;
      loaded.lost.addEventListener("abort", resident.onLost, { once: true });
      if (loaded.lost.aborted) throw new EngineError("lost", "the runner ended while it loaded the model");
      this.#options.onLoaded?.(shortName(request.model.name));
      if (!this.#queue.some((other) => other.key === key)) this.#residents.startIdle(resident);
    } catch (error) {
      this.#residents.forget(resident);
      // Other requests for the model retry.
      if (!resident.loading.signal.aborted && this.#queue.includes(waiting)) {
        this.#dequeue(waiting);
        waiting.reject(error);
      }
    } finally {
      this.#isLoading = false;
      this.#advance();
    }
  }

  /** Works on the oldest request that needs a load: starts it, or starts to make room. */
  #makePossible(waiting: Waiting): void {
    if (this.#isLoading) return;
    const unfit = this.#residents.get(waiting.key);
    const { inMemory } = this.#residents;
    const hasRoom = waiting.request.model.rules !== undefined || inMemory.length < this.#options.maxLoaded;
    if (unfit === undefined && hasRoom) return void this.#load(waiting);
    const candidates = unfit === undefined ? inMemory : [unfit];
    const victim = nextToLeave(candidates, this.#queue, waiting);
    if (victim) this.#residents.sendAway(victim);
  }

  /** Serves all requests that can run now, oldest first. Only the oldest one that needs a load may cause one. */
  #advance(): void {
    let mayLoad = true;
    for (const waiting of [...this.#queue]) {
      const resident = this.#residents.get(waiting.key);
      const fits = resident !== undefined && !resident.leaving && serves(resident.request, waiting.request);
      if (
        fits &&
        (resident.loaded === undefined || resident.places + placesNeeded(waiting) > resident.loaded.sequences)
      )
        continue;
      if (fits && resident.loaded !== undefined) {
        // It passes those of the model that came before and wait, but the latest keep-alive counts.
        for (const before of this.#queue.slice(0, this.#queue.indexOf(waiting)))
          if (before.key === waiting.key) before.keepAliveMs = waiting.keepAliveMs ?? before.keepAliveMs;
        this.#dequeue(waiting);
        this.#grant(waiting, resident, resident.loaded);
      } else if (mayLoad) {
        mayLoad = false;
        this.#makePossible(waiting);
      }
    }
  }

  /** The requests that only wait: one in the queue may have a load or an unload running for it. */
  #waitingCount(): number {
    const isServed = this.#queue.some(({ key, request }) => {
      const resident = this.#residents.get(key);
      if (this.#isLoading) return resident !== undefined && resident.loaded === undefined;
      return resident === undefined || resident.leaving || !serves(resident.request, request);
    });
    return this.#queue.length - (isServed ? 1 : 0);
  }

  /** Models leave for requests that wait. When one is cancelled, those that wait still have a model leave again. */
  #keepInUse(): void {
    // A load that goes on waits for the memory of the model that leaves.
    if (this.#residents.all.some(({ loaded, loading }) => loaded === undefined && !loading.signal.aborted)) return;
    this.#residents.keepUsed();
    this.#advance();
  }

  #cancel(waiting: Waiting): void {
    this.#dequeue(waiting);
    const resident = this.#residents.get(waiting.key);
    const isWanted = this.#queue.some(({ key }) => key === waiting.key);
    if (resident !== undefined && !isWanted) {
      if (resident.loaded === undefined) resident.loading.abort();
      // It was loaded for a request that has left, and nobody has used it since.
      else if (resident.users === 0 && !resident.leaving && resident.expiresAt === undefined)
        this.#residents.startIdle(resident);
    }
    this.#keepInUse();
  }
}
