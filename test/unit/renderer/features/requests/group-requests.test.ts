import { describe, expect, it } from "vitest";
import { groupRequests, layOut } from "../../../../../renderer/features/requests/waterfall/group-requests.ts";
import { callsMadeBy } from "../../../../../renderer/features/requests/calls-made-by.ts";
import type { RecordedSummary } from "../../../../../server/contract/console/traffic/requests.ts";

const start = Date.UTC(2026, 10, 20, 8, 30);
const request = (id: number, afterMs: number, more: Partial<RecordedSummary> = {}): RecordedSummary => ({
  id,
  time: new Date(start + afterMs).toISOString(),
  service: "app",
  method: "GET",
  path: `/${String(id)}`,
  query: "",
  status: 200,
  complete: true,
  ms: 10,
  request_size: 0,
  response_size: 0,
  client: "127.0.0.1",
  request_id: String(id),
  sender: "client",
  ...more,
});
const told = (groups: ReturnType<typeof groupRequests>) =>
  groups.map(({ kind, name, requests }) => [kind, name, requests.map(({ id }) => id)]);

describe("recorded requests are grouped", () => {
  it("by their flow, in the order in which they came, the group with the newest one first", () => {
    const order = { flow: "order:T1" };
    const login = { flow: "login:1", uid: "u7" };
    const rows = [
      request(5, 900, order),
      request(4, 20, login),
      request(3, 400, order),
      request(2, 10, { ...login, service: "provider" }),
    ];
    expect(told(groupRequests(rows, "flow"))).toEqual([
      ["order", "T1", [3, 5]],
      ["login", "u7", [2, 4]],
    ]);
  });

  it("in bursts of a session where nothing ties them, until it pauses for a second", () => {
    const ada = { session_id: 1, uid: "u1" };
    const rows = [
      request(1, 0, ada),
      request(2, 500, { ms: 600, ...ada }),
      request(3, 600),
      request(4, 2_000, ada),
      request(5, 3_100, ada),
    ];
    expect(told(groupRequests(rows, "flow"))).toEqual([
      ["burst", "u1", [5]],
      ["burst", "u1", [1, 2, 4]],
      ["burst", "", [3]],
    ]);
  });

  it("by user, with what Hearth asked for the user, whatever they are part of", () => {
    const rows = [
      request(1, 0, { uid: "u1", flow: "order:T1" }),
      request(2, 1, { uid: "u2" }),
      request(3, 2, { uid: "u1" }),
      request(4, 3),
      request(5, 4, { sender: "app", service: "provider", flow: "order:T1" }),
    ];
    expect(told(groupRequests(rows, "user"))).toEqual([
      ["user", "u1", [1, 3, 5]],
      ["user", "", [4]],
      ["user", "u2", [2]],
    ]);
  });
});

describe("a trace", () => {
  const span = (id: number, parent?: number) => ({
    trace_id: "t",
    span_id: `s${String(id)}`,
    ...(parent !== undefined && { parent_id: `s${String(parent)}` }),
  });

  it("is in the group of its order, also the calls that were recorded before the order was known", () => {
    const rows = [
      request(1, 0, span(1)),
      request(2, 5, { ...span(2, 1), flow: "order:T1" }),
      request(3, 9, { ...span(3, 1) }),
    ];
    expect(told(groupRequests(rows, "flow"))).toEqual([["order", "T1", [1, 2, 3]]]);
  });

  it("is a group of its own if it has several requests", () => {
    const rows = [request(1, 0, span(1)), request(2, 5, span(2, 1)), request(3, 9)];
    expect(told(groupRequests(rows, "flow"))).toEqual([
      ["burst", "", [3]],
      ["trace", "t", [1, 2]],
    ]);
  });

  it("is a tree: each request has those that it caused behind it", () => {
    const rows = [
      request(1, 0, span(1)),
      request(2, 1, span(2)),
      request(3, 2, span(3, 1)),
      request(4, 3, span(4, 3)),
      request(5, 4, span(5, 9)),
    ];
    expect(layOut({ requests: rows }).rows.map(({ request: { id }, depth }) => [id, depth])).toEqual([
      [1, 0],
      [3, 1],
      [4, 2],
      [2, 0],
      [5, 0],
    ]);
  });

  it("names the calls of a request, equal ones once with their number", () => {
    const pay = { path: "/pay/unifiedorder", method: "POST", status: 502 };
    const failed = request(4, 0, span(1));
    const rows = [failed, request(2, 1, { ...span(2, 1), ...pay }), request(3, 2, { ...span(3, 1), ...pay })];
    expect(callsMadeBy(failed, rows)).toMatchObject([{ count: 2, first: { id: 2 } }]);
  });
});

describe("the bars of a group", () => {
  it("lie where their time does, and as wide as it is", () => {
    const { rows, totalMs, pauses } = layOut({ requests: [request(1, 0, { ms: 100 }), request(2, 50, { ms: 25 })] });
    expect(rows.map(({ left, width, afterMs }) => [left, width, afterMs])).toEqual([
      [0, 100, 0],
      [50, 25, 50],
    ]);
    expect([totalMs, pauses]).toEqual([100, []]);
  });

  it("stay visible around a long pause, which is shortened and marked", () => {
    const { rows, totalMs, pauses } = layOut({ requests: [request(1, 0), request(2, 600_000)] });
    expect(totalMs).toBe(600_010);
    expect(pauses).toHaveLength(1);
    for (const { left, width } of rows) {
      expect(width).toBeGreaterThan(40);
      expect(left + width).toBeLessThanOrEqual(100.001);
    }
  });
});
