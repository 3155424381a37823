import { afterEach, describe, expect, it, vi } from "vitest";
import { createLiveEvents } from "../../../../renderer/api/events/event-source.ts";
import type { EventSourceLike } from "../../../../renderer/api/events/keep-open.ts";
import type { CloudEvent } from "../../../../server/contract/console/traffic/stored-event.ts";

/** A second implementation of the browser's EventSource, driven by the test. */
function scriptedSource() {
  const listeners: { type: string; listen: (message: { data?: unknown }) => void }[] = [];
  let closed = false;
  const source: EventSourceLike & { readyState: number } = {
    readyState: 0,
    addEventListener: (type, listen) => void listeners.push({ type, listen }),
    close: () => (closed = true),
  };
  return {
    source,
    isClosed: () => closed,
    emit: (type: string, data?: unknown) => {
      for (const one of listeners) if (one.type === type) one.listen({ data });
    },
  };
}

const message = (id: number) =>
  JSON.stringify({
    specversion: "1.0",
    id: String(id),
    source: "/app",
    type: "session.created",
    time: "2026-01-01T00:00:00.000Z",
    datacontenttype: "application/json",
    data: {},
  });

describe("The live stream of events", () => {
  afterEach(() => void vi.useRealTimers());

  const setUp = () => {
    vi.useFakeTimers();
    const opened: ReturnType<typeof scriptedSource>[] = [];
    const live = createLiveEvents(() => {
      const scripted = scriptedSource();
      opened.push(scripted);
      return scripted.source;
    });
    const batches: CloudEvent[][] = [];
    live.subscribe((events) => batches.push(events));
    const stop = live.start();
    return { live, opened, batches, stop };
  };

  it("hands out what comes close together as one batch, in order, and leaves out what is no event", async () => {
    const { opened, batches } = setUp();
    for (const data of [message(1), "not json", message(2), '{"id":3}', message(3)]) opened[0]?.emit("event", data);
    expect(batches).toEqual([]);
    await vi.runAllTimersAsync();
    expect(batches.map((batch) => batch.map(({ id }) => id))).toEqual([["1", "2", "3"]]);
  });

  it("is closed while nobody sees the page, and opened anew when somebody does", () => {
    const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
    vi.stubGlobal("document", page);
    try {
      const { opened, stop } = setUp();
      const see = (state: string) => {
        page.visibilityState = state;
        page.dispatchEvent(new Event("visibilitychange"));
      };
      see("hidden");
      expect(opened.map((one) => one.isClosed())).toEqual([true]);
      see("visible");
      expect(opened.map((one) => one.isClosed())).toEqual([true, false]);
      stop();
      see("visible");
      expect(opened.map((one) => one.isClosed())).toEqual([true, true]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("hands out fewer batches in a storm, and as soon as before when it is over", async () => {
    const { opened, batches } = setUp();
    const emit = (count: number) => {
      for (let id = 0; id < count; id++) opened[0]?.emit("event", message(id));
    };
    const delaysMs: number[] = [];
    for (const count of [200, 200, 1, 1]) {
      emit(count);
      const [before, startedAt] = [batches.length, Date.now()];
      while (batches.length === before) await vi.advanceTimersToNextTimerAsync();
      delaysMs.push(Date.now() - startedAt);
    }
    const [calm = 0, storm = 0, last, again] = delaysMs;
    expect(storm).toBeGreaterThan(2 * calm);
    expect([last, again]).toEqual([storm, calm]);
  });

  it("says that it reconnects while the browser tries by itself, and announces each opening", () => {
    const { live, opened } = setUp();
    let openings = 0;
    live.subscribeOpen(() => (openings += 1));
    expect(live.connection.getState()).toBe("connecting");
    opened[0]?.emit("open");
    expect(live.connection.getState()).toBe("open");
    opened[0]?.emit("error");
    expect(live.connection.getState()).toBe("reconnecting");
    opened[0]?.emit("open");
    expect([live.connection.getState(), openings, opened.length]).toEqual(["open", 2, 1]);
  });

  it("opens a new stream, again and again, when the browser has given the old one up", async () => {
    const { live, opened } = setUp();
    for (const failed of [0, 1, 2]) {
      const scripted = opened[failed];
      if (!scripted) throw new Error(`stream ${failed} was not opened`);
      scripted.source.readyState = 2;
      scripted.emit("error");
      expect(scripted.isClosed()).toBe(true);
      expect(live.connection.getState()).toBe("reconnecting");
      await vi.runOnlyPendingTimersAsync();
    }
    opened[3]?.emit("open");
    expect(live.connection.getState()).toBe("open");
  });

  it("closes the stream and opens no other when it is stopped", async () => {
    const { opened, stop, batches } = setUp();
    opened[0]?.emit("event", message(1));
    stop();
    await vi.runAllTimersAsync();
    expect([opened.length, opened[0]?.isClosed(), batches]).toEqual([1, true, []]);
  });
});
