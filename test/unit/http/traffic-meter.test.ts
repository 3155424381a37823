import { expect, it } from "vitest";
import { createTrafficMeter } from "../../../server/app/requests/traffic-meter.ts";

it("The traffic meter reports five minutes in steps: requests, failures and durations, by who asked whom", () => {
  let now = 1_000_000_000_000;
  const meter = createTrafficMeter(() => now);
  for (let ms = 1; ms <= 100; ms += 1) meter.count({ service: "app", ms, status: ms === 1 ? 503 : 200 }, "client");
  meter.count({ service: "provider", ms: 3 }, "app");
  now += 10_000;
  meter.count({ service: "app", ms: 7, status: 404 }, "client");
  const { step_ms, points, edges } = meter.read();
  expect([step_ms, points.length, points.at(-1)?.at]).toEqual([5_000, 60, now]);
  expect(points.slice(-3)).toEqual([
    { at: now - 10_000, requests: 101, failed: 2, p50_ms: 50, p95_ms: 95 },
    { at: now - 5_000, requests: 0, failed: 0 },
    { at: now, requests: 1, failed: 0, p50_ms: 7, p95_ms: 7 },
  ]);
  expect(edges).toEqual([
    { sender: "app", service: "provider", requests: 1, failed: 1, p95_ms: 3, last_at: now - 10_000 },
    { sender: "client", service: "app", requests: 101, failed: 1, p95_ms: expect.any(Number), last_at: now },
  ]);
  now += 300_000;
  expect(meter.read().points.filter(({ requests }) => requests > 0)).toEqual([]);
  expect(meter.read().edges).toEqual([]);
});
