import { describe, expect, it } from "vitest";
import { schedulerScene } from "../../../support/model/scheduler-scene.ts";
import { gate } from "../../../support/model/scripted-engine.ts";

describe("an unload on demand", () => {
  it("comes when the last user is done", async () => {
    const { acquire, scheduler, wish: options, loaded, unloads } = schedulerScene();
    const lease = await acquire("a");
    scheduler.unload(options("a").model);
    expect(unloads()).toEqual([]);
    lease.release();
    expect(loaded()).toEqual([]);
    expect(unloads()).toEqual(["a"]);
  });

  it("comes to what is still loading, or waits to be, after the requests of before", async () => {
    const { engine, acquire, scheduler, wish: options, loaded, loads } = schedulerScene({ maxLoaded: 3 });
    const loading = gate();
    engine.beforeLoad = () => loading.opened;
    const hour = 3_600_000;
    const asked = ["a", "a", "b", "c"].map((name) => acquire(name, {}, hour).then((lease) => lease.release()));
    for (const name of ["a", "b"]) scheduler.unload(options(name).model);
    asked.push(acquire("b", {}, hour).then((lease) => lease.release()));
    loading.open();
    await Promise.all(asked);
    expect(loads()).toEqual(["a", "b", "c"]);
    expect(loaded().sort()).toEqual(["b", "c"]);
  });

  it("comes to what others wait for, after them, unless a later one wants it kept", async () => {
    const { acquire, scheduler, wish: options, loaded } = schedulerScene();
    const hour = 3_600_000;
    for (const later of [undefined, hour]) {
      const lease = await acquire("a");
      const waiting = acquire("a", {}, hour);
      scheduler.unload(options("a").model);
      const last = acquire("a", {}, later);
      lease.release();
      (await waiting).release();
      (await last).release();
      expect(loaded()).toEqual(later === undefined ? [] : ["a"]);
    }
  });

  it("lets nobody wait for the answer during which a model was unloaded", async () => {
    const { acquire, scheduler, wish: options, unloads } = schedulerScene();
    const lease = await acquire("a");
    scheduler.unload(options("a").model);
    (await acquire("b")).release();
    expect(unloads()).toEqual([]);
    lease.release();
    expect(unloads()).toEqual(["a"]);
  });
});
