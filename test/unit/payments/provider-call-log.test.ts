/** The record of payment calls: what an order's page shows, and whether a receiver has asked before it answered. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCallLog, type CallEntry } from "../../../server/provider/payments/calls/call-log.ts";
import { callMigrations, type CallTables } from "../../../server/provider/payments/calls/call-tables.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const start = 1_000_000;
const open = async (now = start) => {
  const database = await openDatabase<CallTables>({ file: join(folder.path, "calls.db"), migrations: callMigrations });
  const { db, writes, close } = database;
  const common = { db, writes, log: quietLog };
  return { db, close, common, log: createCallLog({ ...common, now: () => now }) };
};

let folder: ReturnType<typeof temporaryFolder>;
let test: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  folder = temporaryFolder();
  test = await open();
});
afterAll(async () => {
  await test.log.close();
  await test.close();
  folder[Symbol.dispose]();
});

const order = (outTradeNo: string, mchId = "1900000109") => ({ mchId, outTradeNo });
const entry = (changed: Partial<CallEntry> & { outTradeNo: string }): CallEntry => ({
  span: { trace_id: null, span_id: null, parent_id: null },
  mchId: "1900000109",
  name: "orderquery",
  version: "v2",
  method: "POST",
  target: "/pay/orderquery",
  body: "<xml/>",
  status: 200,
  reply: "<xml>reply</xml>",
  outcome: "SUCCESS",
  performed: true,
  faults: [],
  at: start + 100,
  durationMs: 50.5,
  ...changed,
});

it("the call log shows the calls of an order, oldest first, as they were, and of no other order or merchant", async () => {
  const { log } = test;
  log.add(
    entry({
      outTradeNo: "SHOWN",
      name: "unifiedorder",
      faults: [{ id: 3, kind: "reset" }],
      body: `"' \u0000 \\ 值 😀`,
    }),
  );
  log.add(entry({ outTradeNo: "SHOWN", outcome: "no_answer", status: 0, performed: false }));
  log.add(entry({ outTradeNo: "ANOTHER" }));
  log.add(entry({ outTradeNo: "SHOWN", mchId: "1900000110" }));
  const [first, second, ...others] = await log.of(order("SHOWN"));
  expect(first).toEqual({
    id: expect.any(Number),
    name: "unifiedorder",
    version: "v2",
    method: "POST",
    target: "/pay/orderquery",
    body: `"' \u0000 \\ 值 😀`,
    status: 200,
    reply: "<xml>reply</xml>",
    outcome: "SUCCESS",
    performed: true,
    faults: [{ id: 3, kind: "reset" }],
    at: start + 100,
    durationMs: 50.5,
    span: { trace_id: null, span_id: null, parent_id: null },
  });
  expect(second).toMatchObject({ outcome: "no_answer", status: 0, performed: false });
  expect(others).toEqual([]);
});

it("the call log keeps the beginning of a long body", async () => {
  test.log.add(entry({ outTradeNo: "LONG", body: "x".repeat(100_000) }));
  const [call] = await test.log.of(order("LONG"));
  expect(call?.body).toMatch(/^x{16384}… \(100000 characters\)$/);
});

it("the call log shows the latest 200 calls of an order that is queried without end", async () => {
  for (let at = 0; at < 250; at++) test.log.add(entry({ outTradeNo: "MANY", at: start + at }));
  const calls = await test.log.of(order("MANY"));
  expect([calls.length, calls[0]?.at, calls.at(-1)?.at]).toEqual([200, start + 50, start + 249]);
});

/** A query from 100 to 150.5 after the start. */
const windows: readonly (readonly [from: number, to: number, queried: boolean])[] = [
  [0, 99, false],
  [0, 100, true],
  [120, 130, true],
  [150, 500, true],
  [151, 500, false],
];

it("the call log knows whether a query was running at a time, from memory and from the database", async () => {
  test.log.add(entry({ outTradeNo: "ASKED" }));
  const told = (log: typeof test.log) =>
    Promise.all(windows.map(([from, to]) => log.queriedBetween(order("ASKED"), start + from, start + to)));
  const expected = windows.map(([, , queried]) => queried);
  expect(await told(test.log)).toEqual(expected);
  await test.log.close();
  const later = createCallLog({ ...test.common, now: () => start + 10_000 });
  expect(await told(later)).toEqual(expected);
  test = { ...test, log: later };
});

it("the call log finds a query logged in the millisecond in which it was reopened", async () => {
  test.log.add(entry({ outTradeNo: "SAME-MS", at: start, durationMs: 0 }));
  await test.log.close();
  test.log = createCallLog({ ...test.common, now: () => start });
  expect(await test.log.queriedBetween(order("SAME-MS"), start, start)).toBe(true);
});

it("the call log finds a query that another instance has answered and not written yet", async () => {
  const other = createCallLog({ ...test.common, now: () => start, isShared: true });
  const own = createCallLog({ ...test.common, now: () => start, isShared: true });
  other.add(entry({ outTradeNo: "ELSEWHERE" }));
  expect(await own.queriedBetween(order("ELSEWHERE"), start, start + 500)).toBe(true);
  expect(await own.queriedBetween(order("ELSEWHERE"), start + 200, start + 500)).toBe(false);
  await Promise.all([other.close(), own.close()]);
});

it.each([
  { name: "refundquery" },
  { outcome: "ORDERNOTEXIST" },
  { outcome: "reply_signature" },
  { outcome: "caller_left" },
  { mchId: "1900000110" },
] as const)("counts no call with %j as a query that told the order's state", async (changed) => {
  const outTradeNo = `NOT-${Object.values(changed).join("")}`;
  test.log.add(entry({ outTradeNo, ...changed }));
  expect(await test.log.queriedBetween(order(outTradeNo), start, start + 500)).toBe(false);
});

it("the call log finds queries of more orders than it keeps in memory", async () => {
  for (let index = 0; index < 6_000; index++)
    test.log.add(entry({ outTradeNo: `CROWD-${String(index)}`, at: start + 20_000 + index, durationMs: 0 }));
  for (const index of [0, 10, 5_999]) {
    const at = start + 20_000 + index;
    expect(await test.log.queriedBetween(order(`CROWD-${String(index)}`), at, at)).toBe(true);
    expect(await test.log.queriedBetween(order(`CROWD-${String(index)}`), at + 1, at + 1)).toBe(false);
  }
});

it("the call log keeps a limited number of calls, and drops the oldest", async () => {
  const log = createCallLog({ ...test.common, now: () => start, kept: 300 });
  for (let index = 0; index < 400; index++) log.add(entry({ outTradeNo: `KEPT-${String(index)}` }));
  const found = async (index: number) => (await log.of(order(`KEPT-${String(index)}`))).length;
  expect([await found(99), await found(100), await found(399)]).toEqual([0, 1, 1]);
  expect(await log.of(order("SHOWN"))).toEqual([]);
  await log.close();
});

it("the call log drops its buffer and its memory when its table was replaced", async () => {
  test.log.add(entry({ outTradeNo: "FORGOTTEN" }));
  test.log.reload();
  expect(await test.log.of(order("FORGOTTEN"))).toEqual([]);
  expect(await test.log.queriedBetween(order("FORGOTTEN"), start, start + 500)).toBe(false);
});

it("the call log writes its buffer when it is closed, and nothing after it", async () => {
  test.log.add(entry({ outTradeNo: "LAST" }));
  await test.log.close();
  test.log.add(entry({ outTradeNo: "LAST" }));
  const again = createCallLog({ ...test.common, now: () => start });
  expect(await again.of(order("LAST"))).toHaveLength(1);
});
