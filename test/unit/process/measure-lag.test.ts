import { expect, it, vi } from "vitest";
import { measureLag } from "../../../server/http/conventions/not-ready.ts";

function beBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it("the measured lag is the delay of the event loop while its turns are long, and zero once they are short again", async () => {
  const { lagMs, stop } = measureLag();
  try {
    const turns = setInterval(() => beBusy(300), 1);
    await expect.poll(lagMs).toBeGreaterThan(100);
    clearInterval(turns);
    await expect.poll(lagMs).toBeLessThan(50);
  } finally {
    stop();
  }
});

it("nothing is measured before the first question, nor some time after the last one", () => {
  vi.useFakeTimers();
  try {
    const { lagMs, stop } = measureLag();
    expect(vi.getTimerCount()).toBe(0);
    lagMs();
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(vi.getTimerCount()).toBe(0);
    lagMs();
    expect(vi.getTimerCount()).toBe(1);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
