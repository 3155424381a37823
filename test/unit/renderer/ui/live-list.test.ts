import { describe, expect, it } from "vitest";
import {
  appendOlder,
  appendSorted,
  fetchNewest,
  fetchSorted,
  firstSeen,
  mergeNewer,
  type LiveList,
} from "../../../../renderer/ui/table/live-list.ts";

interface Row {
  id: string;
}
const pageSize = 200;
const row = (id: number): Row => ({ id: String(id) });
const ids = (list: { rows: readonly Row[] }) => list.rows.map(({ id }) => Number(id));
/** A server that has stored the rows 1 to `count`. */
const storedUpTo = (count: number) => {
  const asked: (number | undefined)[] = [];
  const load = async (before?: number) => {
    asked.push(before);
    const newest = before === undefined ? count : before - 1;
    const length = Math.max(0, Math.min(pageSize, newest));
    return {
      rows: Array.from({ length }, (_, index) => row(newest - index)),
      total: count,
      complete: length < pageSize,
    };
  };
  return { load, asked };
};
const held = (from: number, to: number, total = from): LiveList<Row> => ({
  rows: Array.from({ length: from - to + 1 }, (_, index) => row(from - index)),
  total,
  complete: to === 1,
});

describe("A live list", () => {
  it("puts what arrives in front, newest first, however it comes, and each row once", () => {
    const list = mergeNewer(held(3, 1), [row(5), row(4), row(5), row(2)]);
    expect(ids(list)).toEqual([5, 4, 3, 2, 1]);
    expect(list.total).toBe(5);
  });

  it("orders by number, not by text", () => {
    expect(ids(mergeNewer(held(9, 8), [row(10)]))).toEqual([10, 9, 8]);
  });

  it("adds an older page at the end and notices the last one", () => {
    const list = appendOlder(held(5, 4), { rows: [row(4), row(3), row(2)], complete: true });
    expect(ids(list)).toEqual([5, 4, 3, 2]);
    expect(list.complete).toBe(true);
  });

  it("closes the gap after an absence, over several pages", async () => {
    const server = storedUpTo(700);
    const list = await fetchNewest(server.load, () => held(100, 1));
    expect(ids(list)).toEqual(Array.from({ length: 700 }, (_, index) => 700 - index));
    expect(list.total).toBe(700);
    expect(list.complete).toBe(true);
  });

  it("is what is known, rows and all, where nothing is new", async () => {
    const known = held(300, 1);
    const server = storedUpTo(300);
    expect(await fetchNewest(server.load, () => known)).toBe(known);
    const more = await fetchNewest(storedUpTo(301).load, () => known);
    expect(more.rows[1]).toBe(known.rows[0]);
  });

  it("starts anew when too much was missed, rather than fetching it all", async () => {
    const server = storedUpTo(50_000);
    const list = await fetchNewest(server.load, () => held(100, 1));
    expect(ids(list)[0]).toBe(50_000);
    expect(list.complete).toBe(false);
    expect(server.asked.length).toBeLessThan(20);
    expect(new Set(ids(list)).size).toBe(list.rows.length);
  });

  it.each([0, 7, 120, 300])("keeps nothing of what was removed, when %i rows were stored since", async (count) => {
    const list = await fetchNewest(storedUpTo(count).load, () => held(500, 1));
    expect(ids(list)).toEqual(ids({ rows: (await storedUpTo(count).load()).rows }));
    expect(list.total).toBe(count);
    expect(list.complete).toBe(count < pageSize);
  });

  it("asks once for the newest page when nothing is known", async () => {
    const server = storedUpTo(300);
    expect(ids(await fetchNewest(server.load, () => undefined)).length).toBe(pageSize);
    expect(server.asked).toEqual([undefined]);
  });

  it("holds a bounded number, and then knows that older ones exist", () => {
    const list = mergeNewer(
      held(99_999, 1),
      Array.from({ length: 10 }, (_, index) => row(100_000 + index)),
    );
    expect(list.rows.length).toBe(100_000);
    expect(list.complete).toBe(false);
    expect(list.total).toBe(100_009);
  });

  it("counts what came since a reader left the top", () => {
    const { rows } = held(30, 1);
    expect(firstSeen(rows, undefined)).toBe(0);
    expect(firstSeen(rows, "6")).toBe(24);
    expect(firstSeen(held(30, 20).rows, "6")).toBe(11);
  });
});

describe("A sorted list", () => {
  it("is fetched again as far as it was held, each row once although rows move between its pages", async () => {
    const pages = new Map<number | undefined, number[]>([
      [undefined, [9, 1, 7]],
      [3, [7, 4, 2]],
      [5, [8]],
    ]);
    const load = async (offset?: number): Promise<LiveList<Row>> => {
      const rows = (pages.get(offset) ?? []).map(row);
      return { rows, total: 6, complete: rows.length < 3 };
    };
    const again = await fetchSorted(load, held(4, 1));
    expect([ids(again), again.complete]).toEqual([[9, 1, 7, 4, 2], false]);
    expect(ids(appendSorted(again, await load(5)))).toEqual([9, 1, 7, 4, 2, 8]);
    expect(ids(await fetchSorted(load, undefined))).toEqual([9, 1, 7]);
  });
});
