import { describe, expect, it } from "vitest";
import {
  appendOlder,
  fetchNewest,
  firstSeen,
  mergeNewer,
  pageSize,
  type EventList,
} from "../../renderer/features/events/event-list.ts";
import { createFormats } from "../../renderer/i18n/formats.ts";
import { summarize } from "../../renderer/features/events/summarize.ts";
import type { CloudEvent } from "../../server/contract/events.ts";

const event = (id: number): CloudEvent => ({
  specversion: "1.0",
  id: String(id),
  source: "/app",
  type: "file.changed",
  time: "2026-01-01T00:00:00.000Z",
  datacontenttype: "application/json",
  data: {},
});
const ids = (list: { events: readonly CloudEvent[] }) => list.events.map(({ id }) => Number(id));
/** A server that has stored the events 1 to `count`. */
const storedUpTo = (count: number) => {
  const asked: (string | undefined)[] = [];
  const load = async (before?: string) => {
    asked.push(before);
    const newest = before === undefined ? count : Number(before) - 1;
    const length = Math.max(0, Math.min(pageSize, newest));
    return { events: Array.from({ length }, (_, index) => event(newest - index)), total: count };
  };
  return { load, asked };
};
const held = (from: number, to: number, total = from): EventList => ({
  events: Array.from({ length: from - to + 1 }, (_, index) => event(from - index)),
  total,
  complete: to === 1,
});

describe("The list of events", () => {
  it("puts what arrives in front, newest first, however it comes, and each event once", () => {
    const list = mergeNewer(held(3, 1), [event(5), event(4), event(5), event(2)]);
    expect(ids(list)).toEqual([5, 4, 3, 2, 1]);
    expect(list.total).toBe(5);
  });

  it("orders by number, not by text", () => {
    expect(ids(mergeNewer(held(9, 8), [event(10)]))).toEqual([10, 9, 8]);
  });

  it("adds an older page at the end and notices the last one", () => {
    const list = appendOlder(held(5, 4), { events: [event(4), event(3), event(2)], total: 5 });
    expect(ids(list)).toEqual([5, 4, 3, 2]);
    expect(list.complete).toBe(true);
  });

  it("closes the gap after an absence, over several pages", async () => {
    const server = storedUpTo(700);
    const list = await fetchNewest(server.load, held(100, 1));
    expect(ids(list)).toEqual(Array.from({ length: 700 }, (_, index) => 700 - index));
    expect(list.total).toBe(700);
    expect(list.complete).toBe(true);
  });

  it("starts anew when too much was missed, rather than fetching it all", async () => {
    const server = storedUpTo(50_000);
    const list = await fetchNewest(server.load, held(100, 1));
    expect(ids(list)[0]).toBe(50_000);
    expect(list.complete).toBe(false);
    expect(server.asked.length).toBeLessThan(20);
    expect(new Set(ids(list)).size).toBe(list.events.length);
  });

  it("asks once for the newest page when nothing is known", async () => {
    const server = storedUpTo(300);
    expect(ids(await fetchNewest(server.load, undefined)).length).toBe(pageSize);
    expect(server.asked).toEqual([undefined]);
  });

  it("holds a bounded number, and then knows that older ones exist", () => {
    const list = mergeNewer(
      held(19_999, 1),
      Array.from({ length: 10 }, (_, index) => event(20_000 + index)),
    );
    expect(list.events.length).toBe(20_000);
    expect(list.complete).toBe(false);
    expect(list.total).toBe(20_009);
  });

  it("counts what came since a reader left the top", () => {
    const { events } = held(30, 1);
    expect(firstSeen(events, undefined)).toBe(0);
    expect(firstSeen(events, "6")).toBe(24);
    expect(firstSeen(held(30, 20).events, "6")).toBe(11);
  });
});

describe("The summary of an event", () => {
  const formats = createFormats("en");
  it("names the change and the file", () => {
    const data = { id: 1, df: "/tmp/图.png", ev: "create", received_at: "2026-01-01T00:00:00Z" };
    expect(summarize({ ...event(1), data }, formats)).toBe("create · /tmp/图.png");
  });
  it("shows the data of a type, or of a shape, that it does not know", () => {
    expect(summarize({ ...event(1), type: "new.kind", data: { a: 1 } }, formats)).toBe('{"a":1}');
    expect(summarize({ ...event(1), data: { a: 1 } }, formats)).toBe('{"a":1}');
  });
});

describe("The formats", () => {
  it("writes sizes, durations and times in the reader's language", () => {
    const english = createFormats("en");
    const now = Date.parse("2026-01-01T01:00:00Z");
    expect([english.bytes(0), english.bytes(999), english.bytes(12_345), english.bytes(2_345_678)]).toEqual([
      "0\u00a0B",
      "999\u00a0B",
      "12.3\u00a0kB",
      "2.3\u00a0MB",
    ]);
    expect(english.relative("2026-01-01T00:55:00Z", now)).toBe("5m ago");
    expect(english.relative("2026-01-01T01:00:02Z", now)).toBe("now");
    expect(createFormats("zh-CN").relative("2026-01-01T00:55:00Z", now)).toContain("5分钟前");
    expect([3.14, 310, 2_450, 12_340, 150_000].map((ms) => english.duration(ms))).toEqual([
      "3.1ms",
      "310ms",
      "2.45s",
      "12.3s",
      "2.5m",
    ]);
    expect([english.money(1_250), createFormats("zh-CN").money(1)]).toEqual(["¥12.50", "¥0.01"]);
    expect([english.rate(0.25), english.rate(1_234)]).toEqual(["0.3/s", "1,234/s"]);
  });
});
