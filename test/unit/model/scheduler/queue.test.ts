import { describe, expect, it } from "vitest";
import { schedulerScene, settled } from "../../../support/model/scheduler-scene.ts";
import { gate } from "../../../support/model/scripted-engine.ts";

describe("the queue", () => {
  it("refuses a request at once when too many wait", async () => {
    const { acquire } = schedulerScene({ maxQueue: 2 });
    const first = await acquire("a");
    const waiting = [acquire("a"), acquire("a")];
    const message = "server busy, please try again.  maximum pending requests exceeded";
    await expect(acquire("a")).rejects.toThrow(expect.objectContaining({ status: 503, message }));
    first.release();
    for (const lease of waiting) (await lease).release();
  });

  it("counts as waiting who waits for a load or for a turn, but not the one that a load or its room is made for", async () => {
    const { engine, acquire } = schedulerScene({ maxQueue: 1, maxLoaded: 1 });
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
    const { acquire } = schedulerScene({ maxQueue: 0, maxLoaded: 1 });
    const first = await acquire("a");
    await expect(acquire("a")).rejects.toThrow(expect.objectContaining({ status: 503 }));
    first.release();
    (await acquire("a")).release();
    (await acquire("b")).release();
  });

  it("has nobody in it who needs no place of the model, and takes none of those that wait for one", async () => {
    const { acquire, scheduler, wish, unloads } = schedulerScene();
    const beside = () => scheduler.acquire({ ...wish("a", {}, 0), needsPlace: false }, new AbortController().signal);
    const [first, user] = [await beside(), await acquire("a")];
    const waiting = acquire("a", {}, 3_600_000);
    const last = await beside();
    first.release();
    expect(await settled(waiting)).toBe(false);
    user.release();
    (await waiting).release();
    expect(unloads()).toEqual([]);
    last.release();
    expect(unloads()).toEqual(["a"]);
  });

  it.each([
    ["a", { num_ctx: 8192 }],
    ["b", {}],
  ])(
    "keeps a model that was to leave for %s %j when that request is cancelled, and serves those behind",
    async (name, raw) => {
      const { acquire, unloads } = schedulerScene({ maxLoaded: name === "a" ? 2 : 1, parallel: 2 });
      const user = await acquire("a");
      const cancel = new AbortController();
      const cancelled = acquire(name, raw, undefined, cancel.signal);
      const behind = ["a", ...(name === "a" ? ["c"] : [])].map((other) => acquire(other));
      expect(await settled(Promise.race(behind))).toBe(false);
      cancel.abort();
      await expect(cancelled).rejects.toThrow("aborted");
      for (const lease of behind) (await lease).release();
      user.release();
      expect(unloads()).toEqual([]);
    },
  );

  it("has a model in use leave for the next request where the one is cancelled that it was to leave for", async () => {
    const { acquire, loads } = schedulerScene({ maxLoaded: 1, parallel: 2 });
    const user = await acquire("a");
    const cancel = new AbortController();
    const cancelled = acquire("b", {}, undefined, cancel.signal);
    const other = acquire("c");
    const again = acquire("a");
    cancel.abort();
    await expect(cancelled).rejects.toThrow("aborted");
    expect(await settled(again)).toBe(false);
    user.release();
    (await other).release();
    (await again).release();
    expect(loads()).toEqual(["a", "c", "a"]);
  });
});
