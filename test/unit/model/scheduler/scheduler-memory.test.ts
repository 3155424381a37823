import { describe, expect, it } from "vitest";
import { EngineError } from "../../../../server/model/engine/engine.ts";
import { schedulerScene, settled } from "../../../support/model/scheduler-scene.ts";
import { gate } from "../../../support/model/scripted-engine.ts";

describe("the scheduler with too little memory", () => {
  it("reports a failed load to nobody but the request that it was for, also where that has left", async () => {
    const { engine, acquire } = schedulerScene();
    const { opened, open } = gate();
    engine.beforeLoad = async ({ num_ctx }) => {
      await opened;
      if (num_ctx > 4096) throw new EngineError("out_of_memory", "no room");
    };
    const cancel = new AbortController();
    const large = acquire("a", { num_ctx: 1_000_000 }, undefined, cancel.signal);
    const usual = acquire("a");
    cancel.abort();
    await expect(large).rejects.toThrow("aborted");
    open();
    (await usual).release();
    expect(engine.loads.map(({ num_ctx }) => num_ctx)).toEqual([1_000_000, 4096]);
  });

  /** There is no room for "new" beside these. */
  function shortMemory(...beside: string[]) {
    const scene = schedulerScene({ maxLoaded: 3, parallel: 2 });
    scene.engine.beforeLoad = ({ path }) => {
      if (path.includes("new") && scene.loaded().some((name) => beside.includes(name)))
        throw new EngineError("out_of_memory", "no room");
    };
    return scene;
  }

  it("sends one idle model after another away when memory is short, until there is room", async () => {
    const { acquire, loaded, unloads } = shortMemory("short", "middle");
    (await acquire("long", {}, 100_000)).release();
    (await acquire("middle", {}, 50_000)).release();
    (await acquire("short", {}, 10_000)).release();
    (await acquire("new")).release();
    expect(unloads()).toEqual(["short", "middle"]);
    expect(loaded().toSorted()).toEqual(["long", "new"]);
  });

  it("waits for a model in use when memory is short, after the idle ones", async () => {
    const { acquire, loads, unloads } = shortMemory("used", "idle");
    const user = await acquire("used", {}, 1_000);
    (await acquire("idle")).release();
    const waiting = acquire("new");
    await expect.poll(() => loads().filter((name) => name === "new").length).toBe(2);
    expect(await settled(waiting)).toBe(false);
    expect(unloads()).toEqual(["idle"]);
    const again = acquire("used");
    user.release();
    (await waiting).release();
    (await again).release();
    expect(unloads()).toEqual(["idle", "used"]);
  });

  it("serves those that have waited for a model for longer before it leaves for want of memory", async () => {
    const { acquire, loads, unloads } = shortMemory("used");
    const users = [await acquire("used"), await acquire("used")];
    const before = acquire("used");
    const waiting = acquire("new");
    await expect.poll(loads).toContain("new");
    expect(await settled(waiting)).toBe(false);
    for (const user of users) user.release();
    (await before).release();
    (await waiting).release();
    expect(unloads()).toEqual(["used"]);
    expect(loads().filter((name) => name === "used")).toHaveLength(1);
  });

  it("loads when the model that others have waited for is lost meanwhile", async () => {
    const { acquire, loads } = shortMemory("used");
    const users = [await acquire("used"), await acquire("used")];
    const before = acquire("used");
    const waiting = acquire("new");
    await expect.poll(loads).toContain("new");
    expect(await settled(waiting)).toBe(false);
    users[0]?.discard();
    (await waiting).release();
    (await before).release();
  });

  it("waits no longer for a model in use when the request that needs its memory has left", async () => {
    const { acquire, loads, unloads } = shortMemory("used");
    const user = await acquire("used");
    const cancel = new AbortController();
    const waiting = acquire("new", {}, undefined, cancel.signal);
    await expect.poll(loads).toContain("new");
    expect(await settled(waiting)).toBe(false);
    cancel.abort();
    await expect(waiting).rejects.toThrow("aborted");
    (await acquire("used")).release();
    (await acquire("other")).release();
    user.release();
    expect(unloads()).toEqual([]);
  });

  it("loads for another request that waits for the model when the one that the load was for has left", async () => {
    const { acquire, loads, unloads } = shortMemory("used");
    const user = await acquire("used");
    const cancel = new AbortController();
    const first = acquire("new", {}, undefined, cancel.signal);
    const second = acquire("new");
    await expect.poll(loads).toContain("new");
    expect(await settled(second)).toBe(false);
    cancel.abort();
    await expect(first).rejects.toThrow("aborted");
    user.release();
    (await second).release();
    expect(unloads()).toEqual(["used"]);
  });

  it("goes on waiting for a model in use when another request has left", async () => {
    const { acquire, loads, unloads } = shortMemory("used");
    const user = await acquire("used");
    const waiting = acquire("new");
    await expect.poll(loads).toContain("new");
    const cancel = new AbortController();
    const other = acquire("used", {}, undefined, cancel.signal);
    expect(await settled(other)).toBe(false);
    cancel.abort();
    await expect(other).rejects.toThrow("aborted");
    user.release();
    (await waiting).release();
    expect(unloads()).toEqual(["used"]);
  });

  it("refuses a model that does not fit with no other one loaded", async () => {
    const { engine, acquire, unloads } = schedulerScene();
    (await acquire("a")).release();
    engine.beforeLoad = () => {
      throw new EngineError("out_of_memory", "no room");
    };
    await expect(acquire("b")).rejects.toMatchObject({ code: "out_of_memory" });
    expect(unloads()).toEqual(["a"]);
  });
});
