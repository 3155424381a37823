import { describe, expect, it } from "vitest";
import { schedulerScene, settled } from "../../../support/model/scheduler-scene.ts";

describe("the scheduler with as many models as it may load", () => {
  it("makes room by sending away the idle model that would go first", async () => {
    const { acquire, loaded, unloads } = schedulerScene();
    (await acquire("long", {}, 100_000)).release();
    (await acquire("short", {}, 50_000)).release();
    (await acquire("new")).release();
    expect(unloads()).toEqual(["short"]);
    expect(loaded().toSorted()).toEqual(["long", "new"]);
  });

  it("waits for a model in use before it takes its place, and is not passed for ever", async () => {
    const { acquire, loads } = schedulerScene({ maxLoaded: 1 });
    const user = await acquire("a");
    const other = acquire("b");
    const again = acquire("a");
    expect(await settled(other)).toBe(false);
    user.release();
    (await other).release();
    (await again).release();
    expect(loads()).toEqual(["a", "b", "a"]);
  });

  it("keeps a model in use that was to make room for what loads in the place of another", async () => {
    const { acquire, scheduler, wish: options, loaded, loads, unloads } = schedulerScene();
    const [first, second] = [await acquire("a", {}, 1000), await acquire("b")];
    const third = acquire("c");
    const again = acquire("a");
    scheduler.unload(options("b").model);
    second.release();
    (await third).release();
    first.release();
    (await again).release();
    expect(unloads()).toEqual(["b"]);
    expect([loads(), loaded().sort()]).toEqual([
      ["a", "b", "c"],
      ["a", "c"],
    ]);
  });

  it("serves those that wait for a model before it makes room for a later request", async () => {
    const { acquire, loads } = schedulerScene({ maxLoaded: 1 });
    const first = await acquire("a");
    const [second, other, wider] = [acquire("a"), acquire("b"), acquire("a", { num_ctx: 8192 })];
    first.release();
    (await second).release();
    (await other).release();
    (await wider).release();
    expect(loads()).toEqual(["a", "b", "a"]);
  });

  it("serves those that wait for a model before it is loaded again for a later request", async () => {
    const { acquire, loads } = schedulerScene({ maxLoaded: 1 });
    const first = await acquire("a");
    const [second, wider] = [acquire("a"), acquire("a", { num_ctx: 8192 })];
    first.release();
    (await second).release();
    (await wider).release();
    expect(loads()).toEqual(["a", "a"]);
  });
});
