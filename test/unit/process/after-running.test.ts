import { expect, it } from "vitest";
import { afterRunning } from "../../../server/time/after-running.ts";

it("a time in which a process runs does not pass while it is stalled", async () => {
  let calls = 0;
  afterRunning(1_000, () => calls++);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  await new Promise((resolve) => setTimeout(resolve));
  expect(calls).toBe(0);
  await expect.poll(() => calls).toBe(1);
});

it("a time in which a process runs can be taken back", async () => {
  let calls = 0;
  const timer = afterRunning(20, () => calls++);
  clearInterval(timer);
  const later = Promise.withResolvers<void>();
  afterRunning(20, later.resolve);
  await later.promise;
  expect(calls).toBe(0);
});
