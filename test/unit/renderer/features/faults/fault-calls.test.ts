import { describe, expect, it } from "vitest";
import { createCall } from "../../../../../renderer/api/http/call.ts";
import { disarmFaults } from "../../../../../renderer/features/faults/fault-calls.ts";

const counts = { hits: 0, recent_hits: [], spent: false, probability: 1, seed: 1 };
const simFault = (id: number, more: object) => ({
  kind: "http_status",
  params: { status: 500 },
  scope: {},
  ...counts,
  ...more,
  id,
});
const routeFault = (id: number, more: object) => ({ path: `/api/${id}`, status: 503, ...counts, ...more, id });

describe("Disarmed faults", () => {
  it("are armed again one after another, the oldest first, for the hits that were left", async () => {
    const armed: unknown[] = [];
    let underWay = 0;
    const faults = {
      sim: [simFault(1, { note: "first", times: 5, hits: 2 }), simFault(2, { note: "second" })],
      route: [routeFault(1, {}), routeFault(2, { times: 3, hits: 3, spent: true }), routeFault(3, { times: 1 })],
    };
    const call = createCall(async (path, { method, body } = {}) => {
      const side = path.includes("/sim/") ? "sim" : "route";
      if (method === "DELETE") return new Response(null, { status: 204 });
      if (method === "GET") return Response.json({ faults: faults[side] });
      const { note, path: place, times } = JSON.parse(body as string) as Record<string, unknown>;
      armed.push([note ?? place, times, ++underWay]);
      await Promise.resolve();
      underWay -= 1;
      return Response.json(side === "sim" ? simFault(9, {}) : routeFault(9, {}));
    });
    await (
      await disarmFaults(call)
    )();
    expect(armed).toEqual([
      ["/api/1", undefined, 1],
      ["/api/3", 1, 1],
      ["first", 3, 1],
      ["second", undefined, 1],
    ]);
  });
});
