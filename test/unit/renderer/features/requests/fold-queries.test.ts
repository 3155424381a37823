import { expect, it } from "vitest";
import { foldQueries } from "../../../../../renderer/features/requests/fold-queries.ts";
import type { RecordedSummary } from "../../../../../server/contract/console/traffic/requests.ts";

const request = (id: number, more: Partial<RecordedSummary>): RecordedSummary => ({
  ...{ id, time: "2026-11-30T08:00:00.000Z", service: "provider", method: "POST", path: "/pay/orderquery", query: "" },
  ...{ status: 200, complete: true, ms: 1, request_size: 1, response_size: 1, client: "127.0.0.1" },
  ...{ request_id: `r${id}`, sender: "app", trace_id: `t${id}`, flow: "order:A" },
  ...more,
});
const none: ReadonlySet<string> = new Set();
const fold = (rows: readonly RecordedSummary[], open = none, selected?: string) =>
  foldQueries(rows, open, selected).map(({ id, queries, isBelow }) => [id, queries, isBelow === true]);

it("the queries of an order by Hearth are one row, at the newest, which opens", () => {
  const rows = [
    request(7, {}),
    request(6, { flow: "order:B" }),
    request(5, { method: "GET", path: "/v3/pay/transactions/out-trade-no/A" }),
    request(4, { flow: "order:B", path: "/pay/refundquery" }),
    request(3, { flow: "order:C" }),
    request(2, { path: "/pay/unifiedorder" }),
    request(1, {}),
  ];
  const other = [
    [6, 2, false],
    [3, undefined, false],
    [2, undefined, false],
  ];
  expect(fold(rows)).toEqual([[7, 3, false], ...other]);
  const opened = [
    [7, 3, false],
    [5, undefined, true],
    [1, undefined, true],
  ];
  expect(fold(rows, new Set(["order:A"]))).toEqual([...opened, ...other]);
  expect(fold(rows, none, "5")).toEqual([...opened, ...other]);
  expect(fold(rows, none, "7")).toEqual([[7, 3, false], ...other]);
});

it("a query that a client or a notification led to is not folded", () => {
  const rows = [
    request(4, { trace_id: "n" }),
    request(3, { trace_id: "n", sender: "provider", service: "app", path: "/api/payments/notifications" }),
    request(2, {}),
    request(1, { sender: "client" }),
  ];
  expect(fold(rows)).toEqual([4, 3, 2, 1].map((id) => [id, undefined, false]));
});
