/**
 * Decides which models are loaded and who uses them. It loads on demand, one model at a time, first come first served;
 * keeps a model for the time that its last request asked for; and makes room by unloading the model with the shortest
 * keep-alive, an idle one where there is one. It knows the engine by its port only, and nothing of HTTP.
 */
import { EngineError, type LoadedModel } from "../engine.ts";
import { isEngineError } from "../engine-failure.ts";
import { shortName } from "../../models/library/model-name.ts";
import { OllamaError } from "../../ollama-error.ts";
import { loadRequestOf, serves, weightsKey, type LoadOptions } from "./load-options.ts";
import type { Lease, Scheduler, SchedulerOptions } from "./port.ts";
import { nextToLeave, startIdleTime, startingResident, statusOf, stopIdleTime, type Resident } from "./resident.ts";

interface Waiting {
  readonly request: LoadOptions;
  readonly key: string;
  /** That of the request, undefined where it has none; 0 where the model was to be unloaded since. */
  keepAliveMs: number | undefined;
  readonly resolve: (lease: Lease) => void;
  readonly reject: (reason: unknown) => void;
}

const busy = "server busy, please try again.  maximum pending requests exceeded";

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { engine } = options;
  const residents = new Map<string, Resident>();
  let queue: Waiting[] = [];
  /** Resolves when a request leaves the queue, or a model the memory. */
  let progress = Promise.withResolvers<void>();
  let isLoading = false;
  /** Models being unloaded: their memory must be free before the next load. */
  const departing = new Set<Promise<void>>();

  function forget(resident: Resident): void {
    stopIdleTime(resident);
    resident.loaded?.lost.removeEventListener("abort", resident.onLost);
    if (residents.get(resident.key) === resident) residents.delete(resident.key);
    reportProgress();
  }

  function reportProgress(): void {
    progress.resolve();
    progress = Promise.withResolvers();
  }

  function dequeue(waiting: Waiting): void {
    queue = queue.filter((other) => other !== waiting);
    reportProgress();
  }

  /** Models for which others have waited for longer stay until those are served. */
  const wantedBefore = (waiting: Waiting) => new Set(queue.slice(0, queue.indexOf(waiting)).map(({ key }) => key));

  const goIdle = (resident: Resident) => startIdleTime(resident, Date.now(), () => sendAway(resident));

  function sendAway(resident: Resident): void {
    resident.leaving = true;
    if (resident.users > 0 || resident.loaded === undefined) return;
    forget(resident);
    const gone = resident.loaded.unload().finally(() => {
      departing.delete(gone);
      options.onUnloaded?.(shortName(resident.model.name));
      advance();
    });
    departing.add(gone);
  }

  const placesOf = ({ request: { needsPlace = true } }: Waiting) => (needsPlace ? 1 : 0);

  function release(resident: Resident, places: number): void {
    resident.users--;
    resident.places -= places;
    if (residents.get(resident.key) !== resident) return;
    if (resident.users === 0 && resident.leaving) sendAway(resident);
    advance(); // those that wait for it come first
    if (resident.users === 0 && !resident.leaving) goIdle(resident);
  }

  function grant(waiting: Waiting, resident: Resident, loaded: LoadedModel): void {
    const places = placesOf(waiting);
    stopIdleTime(resident);
    resident.users++;
    resident.places += places;
    resident.keepAliveMs = waiting.keepAliveMs ?? resident.keepAliveMs;
    let released = false;
    waiting.resolve({
      loaded,
      release() {
        if (released) return;
        released = true;
        release(resident, places);
      },
      discard: resident.onLost,
    });
  }

  /** The engine lost the model; its users get the error from the engine. */
  function onLost(resident: Resident): void {
    if (residents.get(resident.key) !== resident) return;
    forget(resident);
    void resident.loaded?.unload();
    options.onUnloaded?.(shortName(resident.model.name));
    advance();
  }

  /** Has one of these models leave, after its requests. Returns when one has left, or the request that it is for. */
  async function makeRoom(present: readonly Resident[], waiting: Waiting): Promise<void> {
    const areThere = () => present.every((resident) => residents.get(resident.key) === resident);
    while (areThere() && queue.includes(waiting)) {
      const { promise } = progress;
      const victim = nextToLeave(present, wantedBefore(waiting));
      if (victim) sendAway(victim);
      await promise;
    }
  }

  /** Loads; while memory is short, has one model after another leave, and retries. */
  async function loadWithRoom(resident: Resident, waiting: Waiting): Promise<LoadedModel> {
    const { signal } = resident.loading;
    const report = (fraction: number) => {
      for (const { key, request } of queue) if (key === resident.key) request.onLoading?.(fraction);
    };
    for (;;) {
      await Promise.all(departing);
      try {
        return await engine.load(resident.request, signal, report);
      } catch (error) {
        const present = [...residents.values()].filter(({ loaded }) => loaded !== undefined);
        if (!isEngineError(error, "out_of_memory") || present.length === 0) throw error;
        await makeRoom(present, waiting);
        if (!queue.includes(waiting)) throw error;
      }
    }
  }

  async function load(waiting: Waiting): Promise<void> {
    const { request, key } = waiting;
    const resident = startingResident({
      key,
      model: request.model,
      request: loadRequestOf(request, options.parallel),
      keepAliveMs: waiting.keepAliveMs ?? options.keepAliveMs,
      onLost: () => onLost(resident),
    });
    // There is room, perhaps in the place of another than the one that was to leave.
    keepUsed();
    residents.set(key, resident);
    isLoading = true;
    try {
      const loaded = await loadWithRoom(resident, waiting);
      resident.loaded = loaded;
      loaded.lost.addEventListener("abort", resident.onLost, { once: true });
      if (loaded.lost.aborted) throw new EngineError("lost", "the runner ended while it loaded the model");
      options.onLoaded?.(shortName(request.model.name));
      if (!queue.some((other) => other.key === key)) goIdle(resident);
    } catch (error) {
      forget(resident);
      // Other requests for the model retry.
      if (!resident.loading.signal.aborted && queue.includes(waiting)) {
        dequeue(waiting);
        waiting.reject(error);
      }
    } finally {
      isLoading = false;
      advance();
    }
  }

  /** Works on the oldest request that needs a load: starts it, or starts to make room. */
  function makePossible(waiting: Waiting): void {
    if (isLoading) return;
    const unfit = residents.get(waiting.key);
    if (unfit === undefined && residents.size < options.maxLoaded) return void load(waiting);
    const victim = nextToLeave(unfit === undefined ? residents.values() : [unfit], wantedBefore(waiting));
    if (victim) sendAway(victim);
  }

  /** Serves all requests that can run now, oldest first. Only the oldest one that needs a load may cause one. */
  function advance(): void {
    let mayLoad = true;
    for (const waiting of [...queue]) {
      const resident = residents.get(waiting.key);
      const fits = resident !== undefined && !resident.leaving && serves(resident.request, waiting.request);
      if (fits && (resident.loaded === undefined || resident.places + placesOf(waiting) > resident.loaded.sequences))
        continue;
      if (fits && resident.loaded !== undefined) {
        // It passes those of the model that came before and wait, but the latest keep-alive counts.
        for (const before of queue.slice(0, queue.indexOf(waiting)))
          if (before.key === waiting.key) before.keepAliveMs = waiting.keepAliveMs ?? before.keepAliveMs;
        dequeue(waiting);
        grant(waiting, resident, resident.loaded);
      } else if (mayLoad) {
        mayLoad = false;
        makePossible(waiting);
      }
    }
  }

  /** The requests that only wait: one in the queue may have a load or an unload running for it. */
  function waitingCount(): number {
    const isServed = queue.some(({ key, request }) => {
      const resident = residents.get(key);
      if (isLoading) return resident !== undefined && resident.loaded === undefined;
      return resident === undefined || resident.leaving || !serves(resident.request, request);
    });
    return queue.length - (isServed ? 1 : 0);
  }

  function keepUsed(): void {
    for (const resident of residents.values()) if (resident.users > 0) resident.leaving = false;
  }

  /** Models leave for requests that wait. When one is cancelled, those that wait still have a model leave again. */
  function keepInUse(): void {
    // A load that goes on waits for the memory of the model that leaves.
    if ([...residents.values()].some(({ loaded, loading }) => loaded === undefined && !loading.signal.aborted)) return;
    keepUsed();
    advance();
  }

  function leaveQueue(waiting: Waiting): void {
    dequeue(waiting);
    const resident = residents.get(waiting.key);
    const isWanted = queue.some(({ key }) => key === waiting.key);
    if (resident !== undefined && !isWanted) {
      if (resident.loaded === undefined) resident.loading.abort();
      // It was loaded for a request that has left, and nobody has used it since.
      else if (resident.users === 0 && !resident.leaving && resident.expiresAt === undefined) goIdle(resident);
    }
    keepInUse();
  }

  return {
    async acquire(request, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Lease>();
      const { model, keepAliveMs } = request;
      const waiting: Waiting = { request, key: weightsKey(model), keepAliveMs, resolve, reject };
      queue.push(waiting);
      advance();
      if (waitingCount() > options.maxQueue && queue.at(-1) === waiting) {
        leaveQueue(waiting);
        throw new OllamaError(503, busy);
      }
      const onAbort = () => {
        leaveQueue(waiting);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      return promise.finally(() => signal.removeEventListener("abort", onAbort));
    },
    unload(model) {
      const own = weightsKey(model);
      // They came before, and the latest keep-alive counts.
      for (const waiting of queue) if (waiting.key === own) waiting.keepAliveMs = 0;
      const resident = residents.get(own);
      if (resident === undefined) return;
      // Those that it answers, and those that wait for it, are served first: nobody waits for a long answer of another.
      if (resident.loaded === undefined || resident.users > 0) resident.keepAliveMs = 0;
      else sendAway(resident);
    },
    async unloadIdle() {
      [...residents.values()].filter(({ users, loaded }) => users === 0 && loaded !== undefined).forEach(sendAway);
      const leaving = [...departing];
      await Promise.all(leaving);
      return leaving.length > 0;
    },
    demand: () => ({
      waiting: queue.length,
      running: [...residents.values()].reduce((sum, { users }) => sum + users, 0),
    }),
    replaceable(model) {
      const own = model === undefined ? undefined : weightsKey(model);
      const those = [...residents.values()].filter(({ key, users }) => users === 0 || key === own);
      return those.flatMap(({ loaded }) => loaded?.id ?? []);
    },
    residents() {
      const now = Date.now();
      const all = [...residents.values()].flatMap((resident) => statusOf(resident, now) ?? []);
      return all.sort((a, b) => b.expiresAt - a.expiresAt);
    },
    async close() {
      for (const resident of residents.values()) {
        resident.loading.abort();
        sendAway(resident);
      }
      await Promise.all(departing);
    },
  };
}
