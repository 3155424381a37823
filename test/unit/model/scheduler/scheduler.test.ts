import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../../../server/model/engine/engine.ts";
import { weightsKey } from "../../../../server/model/engine/scheduler/load-options.ts";
import { schedulerScene, settled } from "../../../support/model/scheduler-scene.ts";
import { gate } from "../../../support/model/scripted-engine.ts";

describe("the scheduler", () => {
  it("loads a model once for requests at the same time and serves them one after the other, in order", async () => {
    const { acquire, loads } = schedulerScene();
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

  it("loads a model once for requests with the same options, whatever they are", async () => {
    const number = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
    );
    const options = fc.record(
      { num_ctx: number, num_batch: number, num_gpu: number, num_thread: number, use_mmap: fc.boolean() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(options, async (given) => {
        const { acquire, loads } = schedulerScene();
        for (let i = 0; i < 2; i++) (await acquire("a", given)).release();
        expect(loads()).toEqual(["a"]);
      }),
      { examples: [[{ num_batch: 0 }], [{ num_batch: -1 }], [{ num_batch: 0.5 }]] },
    );
  });

  it("keeps a request waiting while the model is in use", async () => {
    const { acquire } = schedulerScene();
    const first = await acquire("a");
    const second = acquire("a");
    expect(await settled(second)).toBe(false);
    first.release();
    (await second).release();
  });

  it("keeps a model that others wait for, also where it is to be unloaded at once or was stopped", async () => {
    const { acquire, loads, unloads, scheduler, wish } = schedulerScene({ keepAliveMs: 0 });
    const first = await acquire("a");
    const second = acquire("a");
    first.release();
    const lease = await second;
    const third = acquire("a");
    scheduler.unload(wish("a").model);
    lease.release();
    (await third).release();
    await expect.poll(unloads).toEqual(["a"]);
    expect(loads()).toEqual(["a"]);
  });

  it("lets requests to a loaded model pass one that waits for a load", async () => {
    const { engine, acquire } = schedulerScene();
    (await acquire("a")).release();
    const { opened, open } = gate();
    engine.beforeLoad = () => opened;
    const slow = acquire("b");
    (await acquire("a")).release();
    open();
    (await slow).release();
  });

  it("loads one model at a time", async () => {
    const { engine, acquire } = schedulerScene();
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

  it("requests the set number of parallel generations, or leaves that to the engine, and grants as many as there are", async () => {
    const { engine, acquire } = schedulerScene({ parallel: 2 });
    const [first, second] = [await acquire("a"), await acquire("a")];
    const third = acquire("a");
    expect(await settled(third)).toBe(false);
    first.release();
    (await third).release();
    second.release();
    expect(engine.loads[0]?.sequences).toBe(2);
    const other = schedulerScene({ parallel: undefined });
    (await other.acquire("a")).release();
    expect(other.engine.loads[0]).not.toHaveProperty("sequences");
  });

  it("drops a cancelled request from the queue at once", async () => {
    const { acquire } = schedulerScene();
    const first = await acquire("a");
    const cancel = new AbortController();
    const second = acquire("a", {}, undefined, cancel.signal);
    const third = acquire("a");
    cancel.abort();
    await expect(second).rejects.toThrow("aborted");
    first.release();
    (await third).release();
  });

  it("cancels a load without waiting requests, and the next request loads anew", async () => {
    const { engine, acquire, loads, loaded } = schedulerScene();
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
    const { engine, acquire } = schedulerScene();
    let tries = 0;
    engine.beforeLoad = () => {
      if (++tries === 1) throw new EngineError("load_failed", "broken");
    };
    const [first, second] = await Promise.allSettled([acquire("a"), acquire("a")]);
    expect(first).toMatchObject({ status: "rejected", reason: { code: "load_failed" } });
    expect(second.status).toBe("fulfilled");
  });

  it("sends an idle model away when its time is over", async () => {
    const { acquire, loaded, unloads } = schedulerScene();
    (await acquire("a", {}, 30)).release();
    expect(loaded()).toEqual(["a"]);
    await expect.poll(loaded).toEqual([]);
    expect(unloads()).toEqual(["a"]);
  });

  it("sends a model away in time that was loaded for requests which have left, though another waited for it", async () => {
    const { engine, acquire, loaded } = schedulerScene({ keepAliveMs: 30 });
    const gates = [gate(), gate()];
    const opened = gates.map((one) => one.opened);
    engine.beforeLoad = () => opened.shift();
    const [first, second] = [new AbortController(), new AbortController()];
    const ask = (num_ctx: number, { signal }: AbortController) =>
      acquire("a", { num_ctx }, undefined, signal).catch(() => undefined);
    const asked = [ask(2048, first), acquire("b").then((lease) => lease.release()), ask(8192, second)];
    first.abort();
    gates[0]?.open();
    await expect.poll(() => opened.length).toBe(0);
    second.abort();
    gates[1]?.open();
    await Promise.all(asked);
    await expect.poll(loaded).toEqual([]);
  });

  it("sends a model away right after a request with keep_alive 0, and never one with a negative keep_alive", async () => {
    const { acquire, scheduler, loaded } = schedulerScene();
    (await acquire("a", {}, 0)).release();
    expect(loaded()).toEqual([]);
    (await acquire("b", {}, Infinity)).release();
    expect(scheduler.residents()[0]?.expiresAt).toBe(Infinity);
  });

  it("keeps the keep_alive of the last request that had one", async () => {
    const { acquire, scheduler } = schedulerScene();
    (await acquire("a", {}, Infinity)).release();
    (await acquire("a")).release();
    expect(scheduler.residents()[0]?.expiresAt).toBe(Infinity);
  });

  it("takes models with the same weights for one, and a file that another one has replaced for another", () => {
    const blob = `/models/blobs/sha256-${"a1".repeat(32)}`;
    expect(weightsKey({ path: blob, digest: "one" })).toBe(weightsKey({ path: blob, digest: "other" }));
    const file = "/models/plain.gguf";
    expect(weightsKey({ path: file, digest: "one" })).not.toBe(weightsKey({ path: file, digest: "other" }));
  });

  it("forgets what the engine has lost, and the next request loads it again", async () => {
    const { engine, acquire, loaded, loads } = schedulerScene();
    const lease = await acquire("a");
    engine.loseEverything();
    expect(loaded()).toEqual([]);
    lease.release();
    (await acquire("a")).release();
    expect(loads()).toEqual(["a", "a"]);
  });

  it("loads again for a larger window, and keeps the larger one for requests with less", async () => {
    const { acquire, engine } = schedulerScene();
    (await acquire("a", { num_ctx: 8192 })).release();
    (await acquire("a")).release();
    (await acquire("a", { num_ctx: 512 })).release();
    expect(engine.loads).toHaveLength(1);
    (await acquire("a", { num_ctx: 16_384 })).release();
    expect(engine.loads.map(({ num_ctx }) => num_ctx)).toEqual([8192, 16_384]);
  });

  it("loads again for another explicit number of threads or GPU layers only", async () => {
    const { acquire, engine } = schedulerScene();
    (await acquire("a", { num_thread: 2, num_gpu: 0 })).release();
    (await acquire("a")).release();
    (await acquire("a", { num_thread: 2, num_gpu: -1 })).release();
    expect(engine.loads).toHaveLength(1);
    (await acquire("a", { num_thread: 1 })).release();
    expect(engine.loads).toHaveLength(2);
  });
});
