import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RequestRow, RequestSummaryRow } from "../../../server/app/requests/store/request-rows.ts";
import { openRequestStore, type RequestStore } from "../../../server/app/requests/store/request-store.ts";
import { writeJson } from "../../../server/http/formats/json-writer.ts";
import { writeXml } from "../../../server/http/formats/xml-writer.ts";
import { requestRow as row } from "../../support/app/request-row.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

let folder: ReturnType<typeof temporaryFolder>;
let store: RequestStore;
const file = () => join(folder.path, "requests.db");
const open = (limits = {}) => openRequestStore(file(), { maxRows: 1000, maxBytes: 1e9, ...limits });
beforeEach(() => {
  folder = temporaryFolder();
  store = open();
});
afterEach(() => {
  store.close();
  folder[Symbol.dispose]();
});

const rows = (from: number, to: number, change: Partial<RequestRow> = {}) =>
  Array.from({ length: to - from + 1 }, (_, index) => row(from + index, change));
const ids = async (query: Omit<Parameters<RequestStore["find"]>[0], "limit"> & { limit?: number } = {}) =>
  (await store.find({ limit: 5000, ...query })).map(({ id }) => id);

describe("the store of recorded requests", () => {
  it("answers a row as it was stored, text as text and bytes as bytes", () => {
    const one = row(1, {
      status: null,
      complete: 0,
      error: '{"code":"x"}',
      request_body: Buffer.from([0, 255]),
      response_body: "图",
      session_id: 4,
      user_id: 7,
    });
    store.insert([one]);
    expect(store.get(1)).toEqual(one);
    expect(store.get(2)).toBeUndefined();
    expect([store.userOfSession(4), store.userOfSession(5)]).toEqual([7, undefined]);
  });

  it("goes on where it was closed: rows, totals and ids", async () => {
    store.insert(rows(1, 5));
    store.delete(5);
    const totals = store.totals();
    store.close();
    store = open();
    expect(await ids()).toEqual([4, 3, 2, 1]);
    expect(store.totals()).toEqual(totals);
    expect(totals).toMatchObject({ rows: 4, newestId: 5 });
  });

  it("sorts all matching rows by a column, page by page, also more rows than it reads at a time", async () => {
    store.insert(rows(1, 900).map((one) => ({ ...one, ms: (one.id * 7) % 900 })));
    const slowest = { name: "ms", descending: true, offset: 0 } as const;
    const times = async (query: Omit<Parameters<RequestStore["find"]>[0], "limit">, limit = 3) =>
      (await store.find({ ...query, limit })).map(({ ms }) => ms);
    expect(await times({ order: slowest })).toEqual([899, 898, 897]);
    expect(await times({ order: { ...slowest, offset: 2 } })).toEqual([897, 896, 895]);
    expect(await times({ order: { ...slowest, descending: false } })).toEqual([0, 1, 2]);
    const even = (found: readonly RequestSummaryRow[]) => found.filter(({ ms }) => ms % 2 === 0);
    expect(await times({ order: slowest, accept: even })).toEqual([898, 896, 894]);
  });

  it("sorts requests without a status before all others, and equal ones from the newest", async () => {
    store.insert([row(1, { status: 404 }), row(2, { status: null }), row(3), row(4)]);
    expect(await ids({ order: { name: "status", descending: false, offset: 0 } })).toEqual([2, 4, 3, 1]);
    expect(await ids({ order: { name: "status", descending: true, offset: 0 } })).toEqual([1, 4, 3, 2]);
  });

  it("keeps the newest rows up to the limits of rows and bytes", async () => {
    store.close();
    store = open({ maxRows: 300 });
    store.insert(rows(1, 250));
    store.insert(rows(251, 900));
    expect([(await ids()).length, (await ids()).at(-1), store.totals().rows]).toEqual([300, 601, 300]);
    store.close();
    store = open({ maxBytes: 100_000 });
    store.insert(rows(901, 910, { response_body: "x".repeat(20_000) }));
    expect(await ids()).toEqual([910, 909, 908, 907]);
    store.insert([row(911, { response_body: "x".repeat(200_000) })]);
    expect(await ids()).toEqual([911]);
  });

  it("stores all rows of a call or none", async () => {
    store.insert(rows(1, 2));
    const before = store.totals();
    expect(() => store.insert([row(3), row(2)])).toThrow();
    expect([await ids(), store.totals()]).toEqual([[2, 1], before]);
  });

  it("finds across more rows than it looks at in one go", async () => {
    store.close();
    store = open({ maxRows: 20_000 });
    store.insert(rows(1, 9_999, { status: 200 }));
    store.insert([row(10_000, { status: 404 })]);
    store.insert(rows(10_001, 12_000));
    expect(await ids({ statuses: [[404, 404]] })).toEqual([10_000]);
    expect(await ids({ accept: (some) => some.filter(({ id }) => id % 4000 === 0) })).toEqual([12_000, 8_000, 4_000]);
    expect(await ids({ accept: (some) => some.filter(({ id }) => id % 4000 === 0), limit: 2 })).toEqual([
      12_000, 8_000,
    ]);
    expect((await ids({ after: 11_990 })).length).toBe(10);
    expect(await ids({ before: 3, after: 1 })).toEqual([2]);
    expect(await ids({ limit: 2, before: 500 })).toEqual([499, 498]);
    expect((await ids({ since: 11_999_000 })).length).toBe(2);
    expect((await ids({ until: 3_000 })).length).toBe(2);
  });

  it("counts across more rows than it looks at in one go, by step of time", async () => {
    store.close();
    store = open({ maxRows: 20_000 });
    expect(store.span()).toBeUndefined();
    store.insert(rows(1, 12_000));
    store.insert(rows(12_001, 12_010, { status: 503 }));
    expect(store.span()).toEqual({ from: 1_000, until: 12_010_001 });
    const steps = { first: 0, stepMs: 6_000_000, count: 3 };
    const all = new Map([
      [0, { count: 5_999, failed: 0 }],
      [1, { count: 6_000, failed: 0 }],
      [2, { count: 11, failed: 10 }],
    ]);
    expect(await store.countByTime({ limit: 1 }, steps)).toEqual(all);
    const accept = (some: readonly RequestSummaryRow[]) => some.filter(({ id }) => id % 2 === 0);
    expect(await store.countByTime({ limit: 1, accept, after: 11_990 }, steps)).toEqual(
      new Map([
        [1, { count: 4, failed: 0 }],
        [2, { count: 6, failed: 5 }],
      ]),
    );
  });

  it("spans all times, also where the clock was moved among many rows", () => {
    store.insert([...rows(1, 300), row(301, { time: 9_000_000 }), row(302, { time: 7 }), ...rows(303, 600)]);
    expect(store.span()).toEqual({ from: 7, until: 9_000_001 });
    store.delete(301);
    store.delete(302);
    expect(store.span()).toEqual({ from: 1_000, until: 600_001 });
  });

  it("finds a text in all its forms, and takes it for nothing but text", async () => {
    store.insert([
      row(1, { response_body: '{"a":"\\u56fe\\ud83d\\ude00"}' }),
      row(2, { request_body: "<a>&#22270;</a>" }),
      row(3, { path: "/%E5%9B%BE" }),
      row(4, { request_headers: '["X-A","图"]' }),
      row(5, { request_body: Buffer.from("图") }),
      row(6, { query: "a=100%_x" }),
    ]);
    expect(await ids({ text: "图" })).toEqual([4, 3, 2, 1]);
    expect(await ids({ text: "图😀" })).toEqual([1]);
    expect(await ids({ text: "%_X" })).toEqual([6]);
    expect(await ids({ text: "a=100__x" })).toEqual([]);
    expect(await ids({ text: "\0" })).toEqual([]);
    const said = 'He said "no\\yes" & 图 [1]';
    store.insert([
      row(7, { request_body: JSON.stringify({ said }) }),
      row(8, { response_body: writeJson({ said }, { indent: 0, relaxed: false }) }),
      row(9, { request_body: writeXml({ said }, { relaxed: true }) }),
      row(10, { response_body: writeXml({ said }, { relaxed: false }) }),
      row(11, { path: encodeURI(`/${said}/1`) }),
      row(12, { query: `said=${encodeURIComponent(said)}` }),
      row(13, { query: new URL(`http://x/?a[]=${said}`).search.slice(1) }),
      row(14, { request_body: new URLSearchParams({ said }).toString() }),
    ]);
    for (const text of [said, "He said", '"no', "\\yes", "& 图", "图 ["])
      expect([text, await ids({ text, after: 6 })]).toEqual([text, [14, 13, 12, 11, 10, 9, 8, 7]]);
  });

  it("removes all that was there when it was asked, and not what came meanwhile", async () => {
    store.insert(rows(1, 900));
    const clearing = store.clear();
    store.insert(rows(901, 902));
    expect(await clearing).toBe(900);
    expect([await ids(), store.totals().rows]).toEqual([[902, 901], 2]);
  });

  it("starts anew in a file of another layout", async () => {
    store.insert(rows(1, 3));
    store.close();
    const file = new Sqlite(join(folder.path, "requests.db"));
    file.exec("alter table requests drop column error; pragma user_version = 99");
    file.close();
    store = open();
    store.insert([row(1)]);
    expect(await ids()).toEqual([1]);
  });

  it("starts anew beside a file that is no database", async () => {
    store.close();
    writeFileSync(file(), "not a database, but long enough to be looked at as one");
    store = open();
    store.insert([row(1)]);
    expect([await ids(), existsSync(`${file()}.broken`)]).toEqual([[1], true]);
  });

  /** Overwrites those pages of the closed file that hold rows and are chosen, by their place among all of these. */
  function damage(isChosen: (index: number, count: number) => boolean): void {
    const bytes = readFileSync(file());
    const size = bytes.readUInt16BE(16);
    const isLeaf = (at: number) => at > 0 && bytes[at] === 0x0d; // of a table; the first page holds the schema
    const leaves = [...Array(bytes.length / size).keys()].map((page) => page * size).filter(isLeaf);
    for (const at of leaves.filter((_, index) => isChosen(index, leaves.length))) bytes.fill(0xff, at, at + size);
    writeFileSync(file(), bytes);
  }

  it.each([
    ["first", (index: number) => index === 0],
    ["second", (index: number) => index === 1],
    ["last", (index: number, count: number) => index === count - 1],
  ])("starts anew beside a file whose %s page of rows is damaged", async (_what, isChosen) => {
    store.insert(rows(1, 100, { response_body: "x".repeat(1_000) }));
    store.close();
    damage(isChosen);
    store = open({ maxRows: 50 });
    store.insert([row(101)]);
    expect([await ids(), existsSync(`${file()}.broken`)]).toEqual([[101], true]);
  });

  it.each([
    ["insert", async () => store.insert([row(101)]), [101]],
    ["clear", async () => expect(await store.clear()).toBe(100), []],
  ])("starts anew beside a file in which %s finds damage, and goes on", async (_name, act, left) => {
    store.insert(rows(1, 100, { response_body: "x".repeat(1_000) }));
    store.close();
    damage((index, count) => index > 2 && index < count - 2);
    store = open({ maxRows: 50 });
    expect([store.totals().rows, existsSync(`${file()}.broken`)]).toEqual([100, false]);
    await act();
    expect([await ids(), existsSync(`${file()}.broken`), store.totals().rows]).toEqual([left, true, left.length]);
    store.insert([row(102)]);
    expect(await ids()).toEqual([102, ...left]);
  });

  it.runIf(process.platform === "linux")("holds what it has put aside open no longer", () => {
    store.close();
    writeFileSync(file(), "not a database, but long enough to be looked at as one");
    store = open();
    const descriptors = "/proc/self/fd";
    const held = readdirSync(descriptors).map((one) => {
      try {
        return readlinkSync(join(descriptors, one));
      } catch {
        return ""; // the one of the folder that has been read
      }
    });
    expect([held.includes(file()), held.includes(`${file()}.broken`)]).toEqual([true, false]);
  });
});
