/** What reaches those who follow stored events, over a log and readers that the test drives. */
import { describe, expect, it } from "vitest";
import { EventFeed } from "../../../server/app/event-log/event-feed.ts";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import type { EventStream } from "../../../server/http/connection/bodies/event-streams.ts";

function openLog() {
  const stored: CloudEvent[] = [];
  const listeners = new Set<(event: CloudEvent) => void>();
  let reads = 0;
  return {
    reads: () => reads,
    store(count = 1, data: unknown = {}) {
      for (let i = 0; i < count; i++) {
        const id = String(stored.length + 1);
        const event = { specversion: "1.0", id, source: "/app", type: "t", time: "", data } as CloudEvent;
        stored.push(event);
        for (const listen of listeners) listen(event);
      }
    },
    async after(id: number, limit: number) {
      reads++;
      return stored.slice(id, id + limit);
    },
    newestId: async () => stored.length,
    subscribe(listen: (event: CloudEvent) => void) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  };
}

/** A reader who takes what is written, or stops doing so. */
function openReader() {
  const written: Buffer[] = [];
  const listeners = { ready: () => {}, close: () => {} };
  let reading = true;
  const stream: EventStream = {
    isReady: () => reading,
    write: (frames) => void written.push(frames),
    onReady: (listen) => (listeners.ready = listen),
    onClose: (listen) => (listeners.close = listen),
    unreadBytes: () => 0,
    end: () => listeners.close(),
    cut: () => listeners.close(),
  };
  return {
    stream,
    written,
    ids: () =>
      [
        ...Buffer.concat(written)
          .toString()
          .matchAll(/^id: (\d+)$/gm),
      ].map(([, id]) => Number(id)),
    stop: () => (reading = false),
    leave: () => listeners.close(),
    goOn() {
      reading = true;
      listeners.ready();
    },
  };
}

const open = () => {
  const log = openLog();
  const errors: unknown[] = [];
  let record = () => {};
  return {
    log,
    record: () => record(),
    errors,
    feed: new EventFeed({
      log,
      onOthersEvents: () => undefined,
      onActivity: (listen) => (record = listen),
      onError: (error) => errors.push(error),
    }),
  };
};
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("those who follow stored events", () => {
  it("are told once of many recorded requests", async () => {
    const { feed, record } = open();
    const [one, other] = [openReader(), openReader()];
    for (const { stream } of [one, other]) feed.follow(stream, await feed.startFrom(undefined));
    for (let i = 0; i < 100; i++) record();
    await expect.poll(() => one.written.length + other.written.length).toBe(2);
    expect(String(one.written[0])).toBe("event: activity\ndata: {}\n\n");
  });

  it("get the same bytes of an event, which is read and written as text once for all", async () => {
    const { log, feed } = open();
    const readers = Array.from({ length: 300 }, openReader);
    for (const { stream } of readers) feed.follow(stream, await feed.startFrom(undefined));
    const before = log.reads();
    log.store();
    await expect.poll(() => readers.every(({ written }) => written.length === 1)).toBe(true);
    expect(new Set(readers.map(({ written }) => written[0])).size).toBe(1);
    expect(log.reads() - before).toBeLessThan(5);
  });

  it("get every event once and in order, whenever they begin and however slowly they read", async () => {
    const { log, feed } = open();
    log.store(1_200);
    const [live, late, all, slow] = [openReader(), openReader(), openReader(), openReader()];
    feed.follow(live.stream, await feed.startFrom(undefined));
    feed.follow(slow.stream, await feed.startFrom(1_000));
    slow.stop();
    for (let i = 0; i < 20; i++) {
      log.store(200);
      if (i === 10) feed.follow(late.stream, await feed.startFrom(1_100));
      await new Promise(setImmediate);
    }
    feed.follow(all.stream, await feed.startFrom(0));
    await expect.poll(() => live.ids().length).toBe(4_000);
    const piled = Buffer.concat(slow.written).length;
    expect(slow.ids().length).toBeLessThan(1_000);
    slow.goOn();
    await expect.poll(() => [late, all, slow].map((one) => one.ids().at(-1))).toEqual([5_200, 5_200, 5_200]);
    expect(live.ids()).toEqual(numbers(1_201, 5_200));
    expect(late.ids()).toEqual(numbers(1_101, 5_200));
    expect(all.ids()).toEqual(numbers(1, 5_200));
    expect(slow.ids()).toEqual(numbers(1_001, 5_200));
    expect(piled).toBeLessThan(256 * 1024);
  });

  it("get no events from the time without followers, unless they ask for them", async () => {
    const { log, feed } = open();
    const first = openReader();
    feed.follow(first.stream, await feed.startFrom(undefined));
    log.store();
    await expect.poll(first.ids).toEqual([1]);
    first.leave();
    log.store(3_000);
    const [second, third] = [openReader(), openReader()];
    feed.follow(second.stream, await feed.startFrom(undefined));
    feed.follow(third.stream, await feed.startFrom(1));
    log.store();
    await expect.poll(second.ids).toEqual([3_002]);
    await expect.poll(third.ids).toEqual(numbers(2, 3_002));
    expect(first.ids()).toEqual([1]);
  });

  it("are disconnected when the log cannot be read, and the error is reported", async () => {
    const { log, feed, errors } = open();
    const reader = openReader();
    let left = false;
    feed.follow({ ...reader.stream, cut: () => (left = true) }, await feed.startFrom(undefined));
    await expect.poll(log.reads).toBe(1);
    log.after = () => Promise.reject(new Error("no disk"));
    log.store();
    await expect.poll(() => left).toBe(true);
    expect(errors).toEqual([new Error("no disk")]);
  });
});
