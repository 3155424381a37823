import { describe, expect, it } from "vitest";
import { EngineError } from "../../server/model/engine.ts";
import type { InstalledModel } from "../../server/model/library/library.ts";
import { nameOfFile } from "../../server/model/library/model-name.ts";
import { resolveOptions, type RawOptions } from "../../server/model/options/model-options.ts";
import type { LoadWish } from "../../server/model/scheduler/load-wish.ts";
import type { SchedulerOptions } from "../../server/model/scheduler/port.ts";
import { createScheduler } from "../../server/model/scheduler/scheduler.ts";
import { createScriptedEngine, gate } from "../support/scripted-engine.ts";

const installed = (name: string): InstalledModel => ({
  name: nameOfFile(`${name}.gguf`),
  path: `/models/${name}.gguf`,
  size: 1,
  modifiedAt: new Date(0),
  digest: name,
  header: { metadata: new Map(), tensorCount: 0, parameterCount: 0, headerBytes: 0 },
  parameters: {},
});

function setUp(options: Partial<SchedulerOptions> = {}) {
  const engine = createScriptedEngine();
  const scheduler = createScheduler({
    engine,
    keepAliveMs: 60_000,
    maxLoaded: 2,
    maxQueue: 4,
    parallel: 1,
    ...options,
  });
  const never = new AbortController().signal;
  const wish = (name: string, raw: RawOptions = {}, keepAliveMs?: number): LoadWish => ({
    model: installed(name),
    options: resolveOptions(raw),
    keepAliveMs,
  });
  return {
    engine,
    scheduler,
    wish,
    acquire: (name: string, raw?: RawOptions, keepAliveMs?: number, signal = never) =>
      scheduler.acquire(wish(name, raw, keepAliveMs), signal),
    loaded: () => scheduler.residents().map(({ model }) => model.digest),
    loads: () => engine.loads.map(({ path }) => path.replace(/^\/models\/|\.gguf$/g, "")),
    unloads: () => engine.unloads.map((path) => path.replace(/^\/models\/|\.gguf$/g, "")),
  };
}

const settled = async (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);

describe("the scheduler", () => {
  it("loads a model once for requests at the same time and serves them one after the other, in order", async () => {
    const { acquire, loads } = setUp();
    const order: number[] = [];
    const all = [1, 2, 3].map(async (number) => {
      const lease = await acquire("a");
      order.push(number);
      lease.release();
    });
    await Promise.all(all);
    expect(order).toEqual([1, 2, 3]);
    expect(loads()).toEqual(["a"]);
  });

  it("keeps a request waiting while the model is in use", async () => {
    const { acquire } = setUp();
    const first = await acquire("a");
    const second = acquire("a");
    expect(await settled(second)).toBe(false);
    first.release();
    (await second).release();
  });

  it("lets requests to a loaded model pass one that waits for a load", async () => {
    const { engine, acquire } = setUp();
    (await acquire("a")).release();
    const { opened, open } = gate();
    engine.beforeLoad = () => opened;
    const slow = acquire("b");
    (await acquire("a")).release();
    open();
    (await slow).release();
  });

  it("loads one model at a time", async () => {
    const { engine, acquire } = setUp();
    let atOnce = 0;
    let most = 0;
    engine.beforeLoad = async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce--;
    };
    (await Promise.all([acquire("a"), acquire("b")])).forEach((lease) => lease.release());
    expect(most).toBe(1);
  });

  it("makes room by sending away the idle model that would go first", async () => {
    const { acquire, loaded, unloads } = setUp();
    (await acquire("long", {}, 100_000)).release();
    (await acquire("short", {}, 50_000)).release();
    (await acquire("new")).release();
    expect(unloads()).toEqual(["short"]);
    expect(loaded().toSorted()).toEqual(["long", "new"]);
  });

  it("waits for a model in use before it takes its place, and is not passed for ever", async () => {
    const { acquire, loads } = setUp({ maxLoaded: 1 });
    const user = await acquire("a");
    const other = acquire("b");
    const again = acquire("a");
    expect(await settled(other)).toBe(false);
    user.release();
    (await other).release();
    (await again).release();
    expect(loads()).toEqual(["a", "b", "a"]);
  });

  it("refuses a request at once when too many wait", async () => {
    const { acquire } = setUp({ maxQueue: 2 });
    const first = await acquire("a");
    const waiting = [acquire("a"), acquire("a")];
    const message = "server busy, please try again.  maximum pending requests exceeded";
    await expect(acquire("a")).rejects.toThrow(expect.objectContaining({ status: 503, message }));
    first.release();
    for (const lease of waiting) (await lease).release();
  });

  it("counts as waiting who waits for a load or for a turn, but not the one that a load or its room is made for", async () => {
    const { engine, acquire } = setUp({ maxQueue: 1, maxLoaded: 1 });
    const { opened, open } = gate();
    engine.beforeLoad = () => opened;
    const refused = expect.objectContaining({ status: 503 });
    const [loading, waiting] = [acquire("a"), acquire("a")];
    await expect(acquire("a")).rejects.toThrow(refused);
    await expect(acquire("b")).rejects.toThrow(refused);
    open();
    const first = await loading;
    // The other one waits for its turn now.
    await expect(acquire("a")).rejects.toThrow(refused);
    first.release();
    const second = await waiting;
    const [other, behind] = [acquire("b"), acquire("a")];
    await expect(acquire("c")).rejects.toThrow(refused);
    second.release();
    (await other).release();
    (await behind).release();
  });

  it("serves what needs no waiting with a queue of none", async () => {
    const { acquire } = setUp({ maxQueue: 0, maxLoaded: 1 });
    const first = await acquire("a");
    await expect(acquire("a")).rejects.toThrow(expect.objectContaining({ status: 503 }));
    first.release();
    (await acquire("a")).release();
    (await acquire("b")).release();
  });

  it("asks for so many generations at a time, or leaves that to the engine, and grants as many as there are", async () => {
    const { engine, acquire } = setUp({ parallel: 2 });
    const [first, second] = [await acquire("a"), await acquire("a")];
    const third = acquire("a");
    expect(await settled(third)).toBe(false);
    first.release();
    (await third).release();
    second.release();
    expect(engine.loads[0]?.sequences).toBe(2);
    const other = setUp({ parallel: undefined });
    (await other.acquire("a")).release();
    expect(other.engine.loads[0]).not.toHaveProperty("sequences");
  });

  it("drops a cancelled request from the queue at once", async () => {
    const { acquire } = setUp();
    const first = await acquire("a");
    const cancel = new AbortController();
    const second = acquire("a", {}, undefined, cancel.signal);
    const third = acquire("a");
    cancel.abort();
    await expect(second).rejects.toThrow("aborted");
    first.release();
    (await third).release();
  });

  it("cancels a load when nobody waits for it any more, and the next request loads anew", async () => {
    const { engine, acquire, loads, loaded } = setUp();
    let seen: AbortSignal | undefined;
    engine.beforeLoad = (_request, signal) => {
      seen = signal;
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    };
    const cancel = new AbortController();
    const request = acquire("a", {}, undefined, cancel.signal);
    await expect.poll(() => seen).toBeDefined();
    cancel.abort();
    await expect(request).rejects.toThrow("aborted");
    expect(seen?.aborted).toBe(true);
    engine.beforeLoad = () => undefined;
    (await acquire("a")).release();
    expect(loads()).toEqual(["a", "a"]);
    expect(loaded()).toEqual(["a"]);
  });

  it("fails the request whose load fails and tries again for the next", async () => {
    const { engine, acquire } = setUp();
    let tries = 0;
    engine.beforeLoad = () => {
      if (++tries === 1) throw new EngineError("load_failed", "broken");
    };
    const [first, second] = await Promise.allSettled([acquire("a"), acquire("a")]);
    expect(first).toMatchObject({ status: "rejected", reason: { code: "load_failed" } });
    expect(second.status).toBe("fulfilled");
  });

  it("sends idle models away and tries once more when memory is short", async () => {
    const { engine, acquire, loaded } = setUp();
    (await acquire("a")).release();
    engine.beforeLoad = () => {
      if (loaded().includes("a")) throw new EngineError("out_of_memory", "no room");
    };
    (await acquire("b")).release();
    expect(loaded()).toEqual(["b"]);
  });

  it("sends an idle model away when its time is over", async () => {
    const { acquire, loaded, unloads } = setUp();
    (await acquire("a", {}, 30)).release();
    expect(loaded()).toEqual(["a"]);
    await expect.poll(loaded).toEqual([]);
    expect(unloads()).toEqual(["a"]);
  });

  it("sends a model away right after a request with keep_alive 0, and never one with a negative keep_alive", async () => {
    const { acquire, scheduler, loaded } = setUp();
    (await acquire("a", {}, 0)).release();
    expect(loaded()).toEqual([]);
    (await acquire("b", {}, Infinity)).release();
    expect(scheduler.residents()[0]?.expiresAt).toBe(Infinity);
  });

  it("keeps the keep_alive of the last request that had one", async () => {
    const { acquire, scheduler } = setUp();
    (await acquire("a", {}, Infinity)).release();
    (await acquire("a")).release();
    expect(scheduler.residents()[0]?.expiresAt).toBe(Infinity);
  });

  it("unloads on demand when the last user is done", async () => {
    const { acquire, scheduler, wish, loaded, unloads } = setUp();
    const lease = await acquire("a");
    scheduler.unload(wish("a").model);
    expect(unloads()).toEqual([]);
    lease.release();
    expect(loaded()).toEqual([]);
    expect(unloads()).toEqual(["a"]);
  });

  it("forgets what the engine has lost, and the next request loads it again", async () => {
    const { engine, acquire, loaded, loads } = setUp();
    const lease = await acquire("a");
    engine.loseEverything();
    expect(loaded()).toEqual([]);
    lease.release();
    (await acquire("a")).release();
    expect(loads()).toEqual(["a", "a"]);
  });

  it("loads again for a larger window, and keeps the larger one for whoever asks for less", async () => {
    const { acquire, engine } = setUp();
    (await acquire("a", { num_ctx: 8192 })).release();
    (await acquire("a")).release();
    (await acquire("a", { num_ctx: 512 })).release();
    expect(engine.loads).toHaveLength(1);
    (await acquire("a", { num_ctx: 16_384 })).release();
    expect(engine.loads.map(({ num_ctx }) => num_ctx)).toEqual([8192, 16_384]);
  });

  it("loads again for another explicit number of threads or GPU layers only", async () => {
    const { acquire, engine } = setUp();
    (await acquire("a", { num_thread: 2, num_gpu: 0 })).release();
    (await acquire("a")).release();
    (await acquire("a", { num_thread: 2, num_gpu: -1 })).release();
    expect(engine.loads).toHaveLength(1);
    (await acquire("a", { num_thread: 1 })).release();
    expect(engine.loads).toHaveLength(2);
  });
});
