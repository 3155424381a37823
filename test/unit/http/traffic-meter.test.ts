import { expect, it } from "vitest";
import { createTrafficMeter } from "../../../server/app/requests/traffic-meter.ts";

it("The traffic meter reports five minutes in steps: requests, failures and durations", () => {
  let now = 1_000_000_000_000;
  const meter = createTrafficMeter(() => now);
  for (let ms = 1; ms <= 100; ms += 1) meter.count({ ms, status: ms === 1 ? 503 : 200 });
  meter.count({ ms: 3 });
  now += 10_000;
  meter.count({ ms: 7, status: 404 });
  const { step_ms, points } = meter.read();
  expect([step_ms, points.length, points.at(-1)?.at]).toEqual([5_000, 60, now]);
  expect(points.slice(-3)).toEqual([
    { at: now - 10_000, requests: 101, failed: 2, p50_ms: 50, p95_ms: 95 },
    { at: now - 5_000, requests: 0, failed: 0 },
    { at: now, requests: 1, failed: 0, p50_ms: 7, p95_ms: 7 },
  ]);
  now += 300_000;
  expect(meter.read().points.filter(({ requests }) => requests > 0)).toEqual([]);
});
