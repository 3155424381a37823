import { describe, expect, it } from "vitest";
import { schedulerScene } from "../../support/model/scheduler-scene.ts";
import { gate } from "../../support/model/scripted-engine.ts";

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
});
